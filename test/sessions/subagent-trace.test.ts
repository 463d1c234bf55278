import { expect, test } from "bun:test";
import { readTrace } from "@mdx-ai/sessions";
import { agentText, run, team, teamModel } from "../support/team.ts";

test("a trace holds what an agent did below the call of the agent", async () => {
  using files = team({
    "lead/agent.mdx": agentText("lead", '<Agent name="helper" src="../helper" description="Helps" />'),
    "helper/agent.mdx": agentText("helper"),
  });
  const opened = await files.open(teamModel({ lead: [{ helper: "Help" }, "done"], helper: ["helped"] }));
  await run(opened, "Go");
  await opened.close();
  const trace = await readTrace(files.path, "main");
  const [call] = trace?.prompts[0]?.turns[0]?.steps.filter(({ type }) => type === "tool") ?? [];
  const agent = call?.type === "tool" ? call.agent : undefined;
  expect(agent?.name).toBe("helper");
  expect(agent?.trace?.session).toBe(agent?.session ?? "");
  expect(agent?.trace?.prompts.map(({ input, outcome }) => [input, outcome])).toStrictEqual([["Help", "done"]]);
});

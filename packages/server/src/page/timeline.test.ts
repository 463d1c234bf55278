import { expect, test } from "bun:test";
import type { AgentEvent } from "@mdx-ai/loop";
import { agentText, run, team, teamModel } from "../../../../test/support/team.ts";
import { after, type Block, EMPTY } from "./client/timeline.ts";

/** A block in a few words, with those of the agent below a call. */
function outline(block: Block): unknown {
  if (block.kind !== "call") return `${block.kind}: ${block.text}`;
  return { [block.name]: block.agent?.blocks.map(outline), state: block.state };
}

test("the events of agents that work as tools are nested under their calls, at any depth", async () => {
  using folder = team({
    "lead/agent.mdx": agentText("lead", '<Agent name="chief" src="../chief" description="x" />'),
    "chief/agent.mdx": agentText("chief", '<Agent name="helper" src="../helper" description="x" />'),
    "helper/agent.mdx": agentText("helper"),
  });
  const opened = await folder.open(
    teamModel({ lead: [{ chief: "Lead them" }, "done"], chief: [{ helper: "Help" }, "led"], helper: ["helped"] }),
  );
  const events: readonly AgentEvent[] = await run(opened, "Go");
  await opened.close();
  const { blocks, isRunning, tokens } = events.reduce(after, EMPTY);
  expect(blocks.map(outline).filter((line) => line !== "answer: ")).toEqual([
    "user: Go",
    {
      chief: [
        "user: Lead them",
        "answer: ",
        { helper: ["user: Help", "answer: helped"], state: "done" },
        "answer: led",
      ],
      state: "done",
    },
    "answer: done",
  ]);
  expect([isRunning, tokens]).toEqual([false, 550]);
});

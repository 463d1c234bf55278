import { expect, test } from "bun:test";
import { eventually } from "../../../../test/support/eventually.ts";
import { agentText, team, teamModel, toolTexts } from "../../../../test/support/team.ts";
import { runAgentsCommand } from "./agents-command.ts";

const BACKGROUND = '<Agent name="slow" src="../helper" description="Helps" background />';

test("/agents lists the agents at work with their last line, shows what one has done, and stops one", async () => {
  using folder = team({
    "lead/agent.mdx": agentText("lead", `<Agent name="helper" src="../helper" description="Helps" />\n\n${BACKGROUND}`),
    "helper/agent.mdx": agentText("helper", "", "builtins: [list_files]"),
  });
  const opened = await folder.open(
    teamModel({
      lead: [{ helper: "Look around", slow: "Take your time" }, "done"],
      helper: ({ messages }, signal) => {
        if (toolTexts(messages).length === 0) return { list_files: {} };
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped"), { once: true }));
      },
    }),
  );
  const session = opened.agent.session();
  const run = (words: string): Promise<string> => runAgentsCommand(words, session);
  try {
    expect(await run("")).toBe("No agent works for this session.");
    const running = Array.fromAsync(session.prompt("Go"));
    await eventually(() => session.agents.length === 2 && session.agents.every(({ line }) => line === "list_files"));
    expect((await run("")).split("\n").toSorted()).toStrictEqual(
      [
        expect.stringMatching(/^[12] helper list_files$/),
        expect.stringMatching(/^[12] slow \(background\) list_files$/),
      ].toSorted(),
    );
    const number = session.agents.findIndex(({ agent }) => agent === "helper") + 1;
    const shown = await run(String(number));
    expect(shown).toStartWith(`helper, session ${session.agents[number - 1]?.session}\n\ntask:\nLook around`);
    expect(shown).toContain("agent:\nlist_files {}");
    expect(await run("9")).toBe("There is no agent 9; /agents lists 2.");
    expect(await run("stop it")).toBe("Write /agents, /agents N, or /agents stop N.");
    expect(await run(`stop ${number}`)).toBe("Stopped helper.");
    await eventually(() => session.agents.length === 1);
    expect(await run("stop 1")).toBe("Stopped slow.");
    await running;
    const [first] = toolTexts(await session.messages()).filter((text) => text.includes("helper"));
    expect(first).toContain("the agent helper did not finish: the user stopped it");
  } finally {
    await opened.close();
  }
});

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { openInteractive } from "../support/interactive-session.ts";
import type { Reply } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { agentText } from "../support/team.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const HELPERS = ["reader", "writer", "tester"] as const;

/** What each helper does before its model is silent until it is stopped. */
const WORK: Readonly<Record<(typeof HELPERS)[number], Reply>> = {
  reader: { calls: [{ id: "r", name: "list_files", arguments: {} }] },
  writer: { calls: [{ id: "w", name: "write_file", arguments: { path: "a.txt", content: "x" } }] },
  tester: { text: "I test the lock", calls: [{ id: "t", name: "read_file", arguments: { path: "agent.mdx" } }] },
};

describe.skipIf(requireProgram("tmux"))("three agents that work side by side", () => {
  test("are shown with their last lines while they run; /agents lists them, opens one and stops one", async () => {
    using folder = temporaryDirectory();
    const home = folder.path;
    const elements = HELPERS.map((name) => `<Agent name="${name}" src="../${name}" description="Is the ${name}" />`);
    const helpers = HELPERS.flatMap((name) => {
      const replies: readonly Reply[] = [WORK[name], { text: "never", delay: 86_000_000 }];
      return [
        [`${name}/agent.mdx`, agentText(name, "", `model: script:${home}/${name}.jsonl`)],
        [`${name}.jsonl`, replies.map((reply) => `${JSON.stringify(reply)}\n`).join("")],
      ];
    });
    const calls = HELPERS.map((name) => ({ id: name, name, arguments: { prompt: `Be the ${name}` } }));
    writeFiles(home, {
      "lead/agent.mdx": agentText("lead", elements.join("\n\n"), `model: script:${home}/lead.jsonl`),
      "lead.jsonl": `${JSON.stringify({ calls })}\n${JSON.stringify({ text: "All have ended." })}\n`,
      ...Object.fromEntries(helpers),
    });
    await using run = await openInteractive({
      ...{ directory: join(home, "lead") },
      ...{ rows: 30, args: ["--sandbox", "off", "--allow-all"], environment: { LC_ALL: "C.UTF-8" } },
    });
    const { terminal } = run;
    const say = async (text: string): Promise<void> => {
      await terminal.type(text);
      await terminal.press("Enter");
    };
    await say("Go");
    await terminal.waitFor(
      /● reader .*\n {2}list_files\n● writer .*\n {2}write_file\n● tester .*\n {2}read_file\n[\s\S]*Esc stops/,
    );
    await say("/agents");
    await terminal.waitForHistory(/^1 reader list_files\n2 writer write_file\n3 tester read_file$/m);
    await say("/agents 2");
    await terminal.waitForHistory(
      /^writer, session main-.*\n\ntask:\nBe the writer\n\nagent:\nwrite_file {"path":"a.txt","content":"x"}\n\nresult:\ncreated/m,
    );
    await say("/agents stop 2");
    await terminal.waitForHistory(/^Stopped writer\.$/m);
    await terminal.waitForHistory(/● writer .*\n {2}\[the agent writer did not finish: the user stopped it\]/);
    await say("/agents");
    await terminal.waitForHistory(/^1 reader list_files\n2 tester read_file$/m);
    await say("/agents stop 1");
    await terminal.waitForHistory(/^Stopped reader\.$/m);
    await say("/agents stop 1");
    await terminal.waitForHistory(/^Stopped tester\.$/m);
    expect(await terminal.waitForHistory("All have ended.")).toContain("● tester");
  });
});

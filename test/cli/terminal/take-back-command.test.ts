import { expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../../support/agent-files.ts";
import { runUndo } from "../../support/cli/terminal.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

test.each([true, false])(
  "/undo says how git restores what a command changed, in a repository (%p) alone, and offers the prompt once more",
  async (isRepository) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT, "work/a.txt": "old" });
    const work = join(home.path, "work");
    if (isRepository) mkdirSync(join(home.path, ".git"));
    const written = { id: "1", name: "write_file", arguments: { path: "b.txt", content: "b" } };
    const changed = { id: "2", name: "bash", arguments: { command: "echo new > a.txt" } };
    const agent = await openScriptAgent(
      join(home.path, "agent"),
      [{ calls: [written] }, { text: "done" }, { calls: [changed] }, { text: "done" }],
      { workspace: work, cwd: work, permissions: { allowsAll: true }, sandbox: { mode: "off" } },
    );
    for (const input of ["one", "two"]) await Array.fromAsync(agent.prompt(input));
    const retyped: string[] = [];
    const context = { agent, session: "main", folder: work, retype: (text: string) => retyped.push(text) };
    const lines = (await runUndo("force", context)).split("\n");
    expect(lines).toStrictEqual([
      "Taken back: two; the session continues from the end of prompt 1.",
      "  not restored  a.txt: it changed while a command ran, and its earlier content is not known",
      ...(isRepository ? [expect.stringMatching(/^`git status` .* `git diff -- FILE` .* `git restore -- FILE`/)] : []),
    ]);
    expect(readFileSync(join(work, "a.txt"), "utf8")).toBe("new\n");
    expect(await runUndo("", context)).toEndWith("removed       b.txt");
    expect(retyped).toStrictEqual(["two", "one"]);
    await agent.close();
  },
);

import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../../../../test/support/agent-files.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import type { Asked } from "../approval/approval-content.ts";
import { runUndo } from "./undo-command.ts";

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
    for (const input of ["one", "two"]) await Array.fromAsync(agent.session().prompt(input));
    const retyped: string[] = [];
    const context = { session: agent.session(), folder: work, retype: (text: string) => retyped.push(text) };
    const unasked = { ask: () => expect.unreachable() };
    const lines = (await runUndo("force", context, unasked)).split("\n");
    expect(lines).toStrictEqual([
      "Undone: two; the session continues from the end of prompt 1.",
      "  not restored  what a command changed: echo new > a.txt",
      ...(isRepository ? [expect.stringMatching(/^`git status` .* `git diff -- FILE` .* `git restore -- FILE`/)] : []),
    ]);
    expect(readFileSync(join(work, "a.txt"), "utf8")).toBe("new\n");
    expect(await runUndo("", context, unasked)).toEndWith("removed       b.txt");
    expect(retyped).toStrictEqual(["two", "one"]);
    await agent.close();
  },
);

test.each([
  ["no", "Nothing was undone.", "by hand"],
  ["once", "Undone: one; ", "by hand"],
  ["always", "Undone: one; ", "old"],
] as const)("/undo asks before it leaves a file that has changed since: %s", async (answer, text, left) => {
  using home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT, "work/a.txt": "old" });
  const work = join(home.path, "work");
  const written = { id: "1", name: "write_file", arguments: { path: "a.txt", content: "new" } };
  const agent = await openScriptAgent(join(home.path, "agent"), [{ calls: [written] }, { text: "done" }], {
    ...{ workspace: work, cwd: work, permissions: { allowsAll: true } },
  });
  await Array.fromAsync(agent.session().prompt("one"));
  writeFileSync(join(work, "a.txt"), "by hand");
  const asked: Asked[] = [];
  const ask = async (question: Asked) => {
    asked.push(question);
    return { answer };
  };
  const said = await runUndo("", { session: agent.session(), folder: work, retype: () => {} }, { ask });
  expect(said).toStartWith(text);
  expect(
    asked.map(({ content, keys }) => [content.lines.map((line) => line.text), keys.map(({ key }) => key)]),
  ).toEqual([[["leaves    a.txt (has changed since)"], ["y", "f", "n"]]]);
  expect(readFileSync(join(work, "a.txt"), "utf8")).toBe(left);
  expect((await agent.session().checkpoints()).length).toBe(answer === "no" ? 1 : 0);
  await agent.close();
});

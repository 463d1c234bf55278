import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buffers, call, FILES, fs } from "../../support/acp-client-files.ts";
import { acpEditor, choosing, requestsOf } from "../../support/acp-editor.ts";
import { wireProblems } from "../../support/acp-schema.ts";
import { writeText } from "../../support/agent-files.ts";
import { ClientTerminals } from "../../support/client-terminals.ts";

describe("the files of a client", () => {
  test("are read with changes that are not saved, and written in the editor", async () => {
    const texts = buffers({});
    const edit = { path: "a.txt", edits: [{ old: "unsaved", new: "changed" }] };
    await using editor = await acpEditor({
      ...{ capabilities: FILES, permission: choosing("yes"), ...texts },
      replies: [call("1", "read_file", { path: "a.txt" }), call("2", "edit_file", edit), { text: "Done." }],
    });
    const path = join(editor.parts.work, "a.txt");
    writeText(path, "saved\n");
    texts.open.set(path, "first\nunsaved\n");
    const { sessionId } = await editor.open();
    expect(await editor.say(sessionId, "Change it.")).toStrictEqual({ stopReason: "end_turn" });
    const results = editor.of(sessionId, "tool_call_update").filter(({ status }) => status === "completed");
    expect(results).toMatchObject([
      { content: [{ content: { text: "```\nfirst\nunsaved\n```" } }] },
      { content: [{ type: "diff", path, oldText: "first\nunsaved\n", newText: "first\nchanged\n" }] },
    ]);
    expect([texts.open.get(path), readFileSync(path, "utf8")]).toStrictEqual(["first\nchanged\n", "first\nchanged\n"]);
    expect(wireProblems(editor.parts.wire)).toStrictEqual([]);
  });

  test("are created through the editor, and read from disk where it cannot read them", async () => {
    const texts = { ...buffers({}), readTextFile: () => undefined };
    await using editor = await acpEditor({
      ...{ capabilities: FILES, permission: choosing("yes"), ...texts },
      replies: [
        call("1", "write_file", { path: "new/b.txt", content: "one\n" }),
        call("2", "read_file", { path: "new/b.txt" }),
        { text: "Done." },
      ],
    });
    const { sessionId } = await editor.open();
    await editor.say(sessionId, "Make it.");
    const path = join(editor.parts.work, "new/b.txt");
    expect(requestsOf(editor, fs.writeTextFile)).toStrictEqual([{ sessionId, path, content: "one\n" }]);
    expect(editor.of(sessionId, "tool_call_update").at(-1)).toMatchObject({
      content: [{ content: { text: "```\none\n```" } }],
    });
  });
});

describe("the terminals of a client", () => {
  const bash = call("1", "bash", { command: "echo from $PWD; exit 3" });
  const capabilities = { terminal: true };

  test("run commands if the sandbox is off, and show their output", async () => {
    using terminals = new ClientTerminals();
    await using editor = await acpEditor({
      ...{ capabilities, terminals, permission: choosing("yes"), run: { sandboxMode: "off" } },
      replies: [bash, { text: "Done." }],
    });
    const { sessionId } = await editor.open();
    expect(await editor.say(sessionId, "Run.")).toStrictEqual({ stopReason: "end_turn" });
    const updates = editor.of(sessionId, "tool_call_update");
    expect(updates.flatMap(({ content }) => content ?? [])).toContainEqual({ type: "terminal", terminalId: "term-1" });
    expect(updates.at(-1)).toMatchObject({ status: "failed", rawOutput: { exitCode: 3 } });
    expect(terminals.ended).toStrictEqual([{ output: `from ${editor.parts.work}\n`, isReleased: true }]);
    expect(wireProblems(editor.parts.wire)).toStrictEqual([]);
  });
});

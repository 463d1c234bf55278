import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { acpEditor, choosing, requestsOf } from "../../support/acp-editor.ts";
import { wireProblems } from "../../support/acp-schema.ts";
import { writeText } from "../../support/agent-files.ts";
import { ClientTerminals } from "../../support/client-terminals.ts";
import { eventually } from "../../support/eventually.ts";

const { fs, terminal } = methods.client;

const call = (id: string, name: string, args: Readonly<Record<string, string | object>>) => ({
  calls: [{ id, name, arguments: JSON.parse(JSON.stringify(args)) }],
});

const FILES = { fs: { readTextFile: true, writeTextFile: true } };

/** An editor whose buffers are a map, saved to disk as they are written. */
function buffers(texts: Readonly<Record<string, string>>) {
  const open = new Map(Object.entries(texts));
  return {
    open,
    readTextFile: (path: string) => open.get(path) ?? (existsSync(path) ? readFileSync(path, "utf8") : undefined),
    writeTextFile: (path: string, content: string) => {
      open.set(path, content);
      writeText(path, content);
    },
  };
}

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

  test("that cannot be written are an error for the model", async () => {
    const writeTextFile = () => {
      throw new Error("read-only");
    };
    await using editor = await acpEditor({
      ...{ capabilities: FILES, permission: choosing("yes"), ...buffers({}), writeTextFile },
      replies: [call("1", "write_file", { path: "b.txt", content: "one\n" }), { text: "Done." }],
    });
    const { sessionId } = await editor.open();
    await editor.say(sessionId, "Make it.");
    expect(editor.of(sessionId, "tool_call_update").at(-1)).toMatchObject({ status: "failed" });
    expect(existsSync(join(editor.parts.work, "b.txt"))).toBe(false);
  });

  test("are asked for only after the permission", async () => {
    await using editor = await acpEditor({
      ...{ capabilities: FILES, permission: choosing("no"), ...buffers({}) },
      replies: [
        call("1", "read_file", { path: "/etc/hostname" }),
        call("2", "write_file", { path: "b.txt", content: "" }),
        { text: "No." },
      ],
    });
    const { sessionId } = await editor.open();
    await editor.say(sessionId, "Look.");
    expect([requestsOf(editor, fs.readTextFile), requestsOf(editor, fs.writeTextFile)]).toStrictEqual([[], []]);
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

  test("end with a prompt that is cancelled", async () => {
    using terminals = new ClientTerminals();
    await using editor = await acpEditor({
      ...{ capabilities, terminals, permission: choosing("yes"), run: { sandboxMode: "off" } },
      replies: [call("1", "bash", { command: "sleep 600" }), { text: "Done." }],
    });
    const { sessionId } = await editor.open();
    const answer = editor.say(sessionId, "Run.");
    await terminals.started();
    await editor.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await answer).toStrictEqual({ stopReason: "cancelled" });
    await eventually(() => expect(terminals.ended).toMatchObject([{ isReleased: true }]));
  });

  test("run no command that the sandbox contains", async () => {
    using terminals = new ClientTerminals();
    await using editor = await acpEditor({
      ...{ capabilities, terminals, permission: choosing("yes") },
      replies: [bash, { text: "Done." }],
    });
    const { sessionId } = await editor.open();
    await editor.say(sessionId, "Run.");
    expect(requestsOf(editor, terminal.create)).toStrictEqual([]);
  });
});

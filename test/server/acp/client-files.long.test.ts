import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { buffers, call, FILES, fs, terminal } from "../../support/acp-client-files.ts";
import { acpEditor, choosing, requestsOf } from "../../support/acp-editor.ts";
import { ClientTerminals } from "../../support/client-terminals.ts";
import { eventually } from "../../support/eventually.ts";

describe("the files of a client", () => {
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

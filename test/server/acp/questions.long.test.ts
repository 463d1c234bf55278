import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { methods, type RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { type AcpEditor, acpEditor, choosing, requestsOf } from "../../support/acp-editor.ts";
import { eventually } from "../../support/eventually.ts";
import { runCommandLine } from "../../support/run-command-line.ts";

const { requestPermission } = methods.client.session;

const WRITE = { id: "call-1", name: "write_file", arguments: { path: "a.txt", content: "one\n" } };
const replies = [{ calls: [WRITE] }, { text: "Done." }];

const note = ({ parts }: AcpEditor): string | undefined => {
  const path = join(parts.work, "a.txt");
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
};

describe("a permission request", () => {
  test("whose answer allows all edits changes the mode", async () => {
    await using editor = await acpEditor({ replies, permission: choosing("edits") });
    const { sessionId } = await editor.open();
    await editor.say(sessionId, "Write.");
    expect(editor.of(sessionId, "current_mode_update")).toMatchObject([{ currentModeId: "edits" }]);
    expect(editor.of(sessionId, "config_option_update")).toMatchObject([
      { configOptions: [{ currentValue: "edits" }, {}] },
    ]);
  });

  test("is withdrawn when another process answers", async () => {
    const withdrawn = Promise.withResolvers<void>();
    const permission = (_asked: unknown, signal: AbortSignal): Promise<RequestPermissionResponse> =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          withdrawn.resolve();
          resolve({ outcome: { outcome: "cancelled" } });
        });
      });
    await using editor = await acpEditor({ replies, permission });
    const { sessionId } = await editor.open();
    const answer = editor.say(sessionId, "Write.");
    await eventually(() => requestsOf(editor, requestPermission).length > 0);
    const { home, directory } = editor.parts;
    const words = ["answer", directory, "1.1.1", "yes", "--session", sessionId];
    // Another process sees the question once it is on disk.
    let given = await runCommandLine(words, { home });
    for (let tries = 0; given.exitCode !== 0 && tries < 100; tries++) {
      await Bun.sleep(50);
      given = await runCommandLine(words, { home });
    }
    expect(given).toMatchObject({ exitCode: 0 });
    expect(await answer).toStrictEqual({ stopReason: "end_turn" });
    await withdrawn.promise;
    expect(note(editor)).toBe("one\n");
  });

  test("ends with the prompt that is cancelled", async () => {
    const permission = (_asked: unknown, signal: AbortSignal): Promise<RequestPermissionResponse> =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ outcome: { outcome: "cancelled" } }));
      });
    await using editor = await acpEditor({ replies, permission });
    const { sessionId } = await editor.open();
    const answer = editor.say(sessionId, "Write.");
    await eventually(() => requestsOf(editor, requestPermission).length > 0);
    await editor.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await answer).toStrictEqual({ stopReason: "cancelled" });
    expect(note(editor)).toBeUndefined();
  });

  test("that the client cannot answer is a no, with a warning", async () => {
    await using editor = await acpEditor({ replies });
    const { sessionId } = await editor.open();
    expect(await editor.say(sessionId, "Write.")).toStrictEqual({ stopReason: "end_turn" });
    expect(note(editor)).toBeUndefined();
    expect(editor.parts.warnings.join()).toContain("could not be asked in the editor");
  });
});

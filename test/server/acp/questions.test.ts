import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { isRecord } from "@mdx-ai/base";
import { type AcpEditor, acpEditor, choosing, requestsOf } from "../../support/acp-editor.ts";
import { wireProblems } from "../../support/acp-schema.ts";
import { agentText } from "../../support/team.ts";

const { requestPermission } = methods.client.session;

const WRITE = { id: "call-1", name: "write_file", arguments: { path: "a.txt", content: "one\n" } };
const replies = [{ calls: [WRITE] }, { text: "Done." }];

const note = ({ parts }: AcpEditor): string | undefined => {
  const path = join(parts.work, "a.txt");
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
};

test("a limit that asks is a permission request of its own, and a yes continues the prompt", async () => {
  const usage = { input: 90, output: 10 };
  const files = { "agent.mdx": agentText("lead", "", "limits: {tokens: 100, on: ask}") };
  const look = { calls: [{ id: "c", name: "list_files", arguments: {} }], usage };
  await using editor = await acpEditor({
    ...{ files, replies: [look, { text: "Done.", usage }], permission: choosing("yes") },
  });
  const { sessionId } = await editor.open();
  expect(await editor.say(sessionId, "Go.")).toStrictEqual({ stopReason: "end_turn" });
  const [asked] = requestsOf(editor, requestPermission);
  expect(asked).toMatchObject({
    toolCall: { title: "stopped at the limit of 100 tokens (100 tokens spent); allow 100 tokens more?" },
    options: [
      { optionId: "yes", name: "Allow more" },
      { optionId: "no", name: "Stop" },
    ],
  });
  expect(wireProblems(editor.parts.wire)).toStrictEqual([]);
});

describe("a permission request", () => {
  test("shows the call with its change, and offers what a terminal offers", async () => {
    await using editor = await acpEditor({ replies, permission: choosing("yes") });
    const { sessionId } = await editor.open();
    expect(await editor.say(sessionId, "Write.")).toStrictEqual({ stopReason: "end_turn" });
    const [asked] = requestsOf(editor, requestPermission);
    const path = join(editor.parts.work, "a.txt");
    expect(asked).toMatchObject({
      sessionId,
      toolCall: {
        toolCallId: expect.stringMatching(/^1\.\d+:call-1$/),
        ...{ title: "write a.txt", kind: "edit", status: "pending", locations: [{ path }] },
        content: [
          { type: "diff", path, oldText: null, newText: "one\n" },
          { type: "content", content: { type: "text", text: "Why: writes in the workspace" } },
        ],
      },
    });
    const options = isRecord(asked) && Array.isArray(asked["options"]) ? asked["options"] : [];
    expect(options.map(({ optionId, kind }) => [optionId, kind])).toStrictEqual([
      ["yes", "allow_once"],
      ["session", "allow_always"],
      ["edits", "allow_always"],
      ["always", "allow_always"],
      ["no", "reject_once"],
    ]);
    expect(note(editor)).toBe("one\n");
    const journal = readFileSync(join(editor.parts.directory, "sessions", sessionId, "journal.jsonl"), "utf8");
    expect(journal).toContain('{"answer":"once","by":"editor"}');
    expect(wireProblems(editor.parts.wire)).toStrictEqual([]);
  });

  test("that is refused keeps the call from running", async () => {
    await using editor = await acpEditor({ replies, permission: choosing("no") });
    const { sessionId } = await editor.open();
    expect(await editor.say(sessionId, "Write.")).toStrictEqual({ stopReason: "end_turn" });
    expect(note(editor)).toBeUndefined();
    expect(editor.of(sessionId, "tool_call_update").at(-1)).toMatchObject({ status: "failed" });
  });
});

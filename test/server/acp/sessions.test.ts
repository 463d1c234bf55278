import { describe, expect, test } from "bun:test";
import { methods } from "@agentclientprotocol/sdk";
import { recordOf } from "@mdx-ai/base";
import { type AcpEditor, acpEditor, connectEditor } from "../../support/acp-editor.ts";
import { wireProblems } from "../../support/acp-schema.ts";

const { session } = methods.agent;

describe("a prompt", () => {
  test("streams thoughts and text under the id of their message", async () => {
    await using editor = await acpEditor({ replies: [{ thinking: "Hm.", deltas: ["Hel", "lo."] }] });
    const { sessionId } = await editor.open();
    await editor.say(sessionId, "Hi.");
    const chunks = editor.updates(sessionId).filter(({ sessionUpdate }) => sessionUpdate.endsWith("_chunk"));
    expect(
      chunks.map((chunk) => [chunk.sessionUpdate, "content" in chunk && recordOf(chunk.content)["text"]]),
    ).toStrictEqual([
      ["agent_thought_chunk", "Hm."],
      ["agent_message_chunk", "Hel"],
      ["agent_message_chunk", "lo."],
    ]);
    expect(new Set(chunks.map((chunk) => "messageId" in chunk && chunk.messageId)).size).toBe(1);
  });

  test("shows a list of steps as a plan", async () => {
    const items = [
      { text: "Read", status: "done" },
      { text: "Write", status: "active" },
      { text: "Test", status: "pending" },
    ];
    await using editor = await acpEditor({
      replies: [{ calls: [{ id: "1", name: "todo", arguments: { items } }] }, { text: "Planned." }],
    });
    const { sessionId } = await editor.open();
    await editor.say(sessionId, "Plan.");
    expect(editor.of(sessionId, "plan")).toMatchObject([
      {
        entries: [
          { content: "Read", priority: "medium", status: "completed" },
          { content: "Write", priority: "medium", status: "in_progress" },
          { content: "Test", priority: "medium", status: "pending" },
        ],
      },
    ]);
    expect(editor.of(sessionId, "tool_call")).toStrictEqual([]);
  });

  test("reports usage, and the title of a new session", async () => {
    await using editor = await acpEditor({
      files: { "agent.mdx": "---\ncontext: { window: 1000 }\n---\n\n# Agent: A\n\n## Purpose\n\nBe.\n" },
    });
    const { sessionId } = await editor.open();
    await editor.say(sessionId, "What is new?");
    expect(editor.of(sessionId, "usage_update")).toMatchObject([{ size: 1000, cost: { amount: 0, currency: "USD" } }]);
    expect(editor.of(sessionId, "session_info_update")).toMatchObject([{ title: "What is new?" }]);
    expect(wireProblems(editor.parts.wire)).toStrictEqual([]);
  });

  test("/compact summarises, and an unknown skill is an error", async () => {
    await using editor = await acpEditor();
    const { sessionId } = await editor.open();
    expect(await editor.say(sessionId, "/compact")).toStrictEqual({ stopReason: "end_turn" });
    expect(editor.texts(sessionId)).toBe("There is nothing to summarise yet.\n");
    expect(await editor.say(sessionId, "/skill:none").catch((thrown: unknown) => thrown)).toMatchObject({
      code: -32603,
    });
  });

  test("waits for the one before", async () => {
    await using editor = await acpEditor({ replies: [{ deltas: ["One", "."], deltaDelay: 50 }, { text: "Two." }] });
    const { sessionId } = await editor.open();
    const answers = await Promise.all([editor.say(sessionId, "1"), editor.say(sessionId, "2")]);
    expect(answers).toStrictEqual([{ stopReason: "end_turn" }, { stopReason: "end_turn" }]);
    expect(editor.texts(sessionId)).toBe("One.Two.");
  });
});

describe("a session", () => {
  const ofCalls = (editor: AcpEditor, sessionId: string) =>
    editor
      .updates(sessionId)
      .flatMap((update) =>
        "toolCallId" in update ? [[update.toolCallId, "status" in update ? update.status : ""]] : [],
      );

  test("is replayed as it was shown", async () => {
    await using editor = await acpEditor({
      replies: [
        { thinking: "Hm.", text: "Look.", calls: [{ id: "1", name: "list_files", arguments: {} }] },
        { text: "Seen." },
      ],
    });
    const { sessionId } = await editor.open();
    await editor.say(sessionId, "Look around.");
    const live = ofCalls(editor, sessionId);
    const count = editor.updates(sessionId).length;
    await editor.agent.request(session.load, { sessionId, cwd: editor.parts.work, mcpServers: [] });
    const again = editor.updates(sessionId).slice(count);
    expect(again.map<string>(({ sessionUpdate }) => sessionUpdate)).toStrictEqual([
      ...["user_message_chunk", "agent_thought_chunk", "agent_message_chunk", "tool_call", "tool_call_update"],
      ...["agent_message_chunk", "available_commands_update"],
    ]);
    expect(ofCalls(editor, sessionId).slice(live.length)).toStrictEqual(live);
  });

  test("that another process uses is refused", async () => {
    await using editor = await acpEditor();
    const { sessionId } = await editor.open();
    await editor.say(sessionId, "Hi.");
    const { directory, home, work } = editor.parts;
    await using other = await connectEditor({ directory, home, work, model: "offline" });
    const asked = other.agent.request(session.load, { sessionId, cwd: work, mcpServers: [] });
    await asked.catch(() => {});
    const error = await other.say(sessionId, "Me, too.").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining("in use") });
  });
});

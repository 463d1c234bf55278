import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  type ContentBlock,
  methods,
  RequestError,
  type SessionUpdate,
  type SetSessionConfigOptionRequest,
} from "@agentclientprotocol/sdk";
import { recordOf } from "@mdx-ai/base";
import { type AcpEditor, acpEditor, choosing, requestsOf } from "../../support/acp-editor.ts";
import { wireProblems } from "../../support/acp-schema.ts";
import { eventually } from "../../support/eventually.ts";

const { session, authenticate } = methods.agent;

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** An answer that is long enough to be cancelled. */
const SLOW = { deltas: ["One ", "two ", "three "], deltaDelay: 60_000 };

const textOf = (text: string): ContentBlock => ({ type: "text", text });

/** The code of the error with which a request fails; undefined if it succeeds. */
const codeOf = (request: Promise<unknown>): Promise<number | undefined> =>
  request.then(
    () => undefined,
    (error: unknown) => (error instanceof RequestError ? error.code : Number.NaN),
  );

/** What the agent sent after its response to the last request with a method. */
function afterResponse({ parts }: AcpEditor, method: string): readonly Readonly<Record<string, unknown>>[] {
  const { wire } = parts;
  const asked = wire.findLast(({ from, message }) => from === "client" && recordOf(message)["method"] === method);
  const { id } = recordOf(asked?.message);
  const at = wire.findIndex(
    ({ from, message }) => from === "agent" && !("method" in recordOf(message)) && recordOf(message)["id"] === id,
  );
  return wire.slice(at + 1).flatMap(({ from, message }) => (from === "agent" ? [recordOf(message)] : []));
}

const HISTORY: readonly string[] = ["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"];
const isHistory = ({ sessionUpdate }: SessionUpdate): boolean => HISTORY.includes(sessionUpdate);

/** A new session with one prompt that was answered. */
async function answered(editor: AcpEditor): Promise<string> {
  const { sessionId } = await editor.open();
  await editor.say(sessionId, "Hi.");
  return sessionId;
}

const place = ({ parts }: AcpEditor) => ({ cwd: parts.work, mcpServers: [] });

interface Case {
  /** As the protocol's test kit calls the requirement. */
  readonly id: string;
  readonly title: string;
  run(editor: AcpEditor): Promise<void>;
}

/** What the test kit asks of a connection; what it asks of a process is in test/e2e/acp.test.ts. */
const CASES: readonly Case[] = [
  {
    id: "INIT-001, 002, 004",
    title: "initialize answers with version 1, and with its name and version",
    run: async ({ parts }) => {
      expect(parts.initialized).toMatchObject({
        protocolVersion: 1,
        agentInfo: { name: "mdx-ai", version: expect.any(String) },
      });
    },
  },
  {
    id: "JSONRPC-004, 005, EXT-001, ERROR-001",
    title: "an unknown method is answered with -32601, and the connection stays usable",
    run: async (editor) => {
      expect(await codeOf(editor.agent.request("_example.com/unknown", {}))).toBe(-32601);
      expect(await codeOf(editor.agent.request("session/unknown", {}))).toBe(-32601);
      expect(await editor.open()).toMatchObject({ sessionId: expect.any(String) });
    },
  },
  {
    id: "SESSION-001, 002",
    title: "two new sessions have two ids",
    run: async (editor) => {
      const ids = [(await editor.open()).sessionId, (await editor.open()).sessionId];
      expect(new Set(ids.filter((id) => id !== "")).size).toBe(2);
    },
  },
  {
    id: "SESSION-001",
    title: "a session needs an absolute path",
    run: async (editor) => {
      expect(await codeOf(editor.open({ cwd: "work" }))).toBe(-32602);
      expect(await codeOf(editor.open({ additionalDirectories: ["more"] }))).toBe(-32602);
    },
  },
  {
    id: "PROMPT-001, 002",
    title: "a prompt of text ends with a reason, and its updates name the session",
    run: async (editor) => {
      const { sessionId } = await editor.open();
      const before = editor.parts.notifications.length;
      expect(await editor.say(sessionId, "Hi.")).toStrictEqual({ stopReason: "end_turn" });
      const during = editor.parts.notifications.slice(before).filter(({ update }) => isHistory(update));
      expect(new Set(during.map((one) => one.sessionId))).toStrictEqual(new Set([sessionId]));
      expect(editor.texts(sessionId)).toBe("Hello.");
    },
  },
  ...[
    { id: "PROMPT-003", block: { type: "resource_link" as const, name: "a.ts", uri: "file:///tmp/a.ts" } },
    { id: "PROMPTCAP-001", block: { type: "image" as const, data: PIXEL, mimeType: "image/png" } },
    {
      id: "PROMPTCAP-003",
      block: {
        type: "resource" as const,
        resource: { uri: "file:///tmp/a.ts", text: "let a = 1;", mimeType: "text/plain" },
      },
    },
    {
      id: "PROMPTCAP-003",
      block: { type: "resource" as const, resource: { uri: "file:///tmp/a.png", blob: PIXEL, mimeType: "image/png" } },
    },
  ].map(({ id, block }) => ({
    id,
    title: `a prompt with a ${block.type} is accepted`,
    run: async (editor: AcpEditor) => {
      const { sessionId } = await editor.open();
      const prompt = [textOf("Look at this: "), block];
      expect(await editor.agent.request(session.prompt, { sessionId, prompt })).toStrictEqual({
        stopReason: "end_turn",
      });
    },
  })),
  {
    id: "PROMPTCAP-002",
    title: "audio is not offered, and refused",
    run: async (editor) => {
      const { sessionId } = await editor.open();
      const audio: ContentBlock = { type: "audio", data: "AAAA", mimeType: "audio/wav" };
      expect(await codeOf(editor.agent.request(session.prompt, { sessionId, prompt: [audio] }))).toBe(-32602);
    },
  },
  {
    id: "META-001",
    title: "a prompt with _meta is accepted",
    run: async (editor) => {
      const { sessionId } = await editor.open();
      const _meta = { traceparent: "00-80e1afed08e019fc1110464cfa66635c-7a085853722dc6d2-01" };
      const answer = await editor.agent.request(session.prompt, { sessionId, prompt: [textOf("Hi.")], _meta });
      expect(answer.stopReason).toBe("end_turn");
    },
  },
  {
    id: "INFO-UNKNOWNSESSION-001",
    title: "an unknown session is -32002",
    run: async (editor) => {
      expect(await codeOf(editor.say("nowhere", "Hi."))).toBe(-32002);
      expect(await codeOf(editor.agent.request(session.load, { sessionId: "nowhere", ...place(editor) }))).toBe(-32002);
      expect(await codeOf(editor.agent.request(session.load, { sessionId: "../up", ...place(editor) }))).toBe(-32002);
    },
  },
  {
    id: "LOAD-001, 002, 003",
    title: "session/load replays the conversation before it answers with an object",
    run: async (editor) => {
      const sessionId = await answered(editor);
      const before = editor.updates(sessionId).length;
      expect(await editor.agent.request(session.load, { sessionId, ...place(editor) })).toMatchObject({ modes: {} });
      const replayed = editor.updates(sessionId).slice(before).filter(isHistory);
      expect(replayed.map(({ sessionUpdate }) => sessionUpdate)).toStrictEqual([
        "user_message_chunk",
        "agent_message_chunk",
      ]);
      expect(afterResponse(editor, session.load)).toStrictEqual([]);
      expect(await codeOf(editor.say(sessionId, "Again."))).toBeUndefined();
    },
  },
  {
    id: "LOAD-001",
    title: "a session without a prompt can be loaded while it is open",
    run: async (editor) => {
      const { sessionId } = await editor.open();
      expect(await codeOf(editor.agent.request(session.load, { sessionId, ...place(editor) }))).toBeUndefined();
    },
  },
  {
    id: "RESUME-001, 002",
    title: "session/resume continues without a replay",
    run: async (editor) => {
      const sessionId = await answered(editor);
      const before = editor.updates(sessionId).length;
      await editor.agent.request(session.resume, { sessionId, cwd: editor.parts.work });
      expect(editor.updates(sessionId).slice(before).filter(isHistory)).toStrictEqual([]);
      expect(await codeOf(editor.say(sessionId, "Again."))).toBeUndefined();
    },
  },
  {
    id: "LIST-001, 002",
    title: "session/list lists the sessions of a folder, or none",
    run: async (editor) => {
      const sessionId = await answered(editor);
      const all = await editor.agent.request(session.list, {});
      expect(all.sessions.find((one) => one.sessionId === sessionId)).toMatchObject({
        cwd: editor.parts.work,
        title: "Hi.",
      });
      expect(await editor.agent.request(session.list, { cwd: editor.parts.work })).toStrictEqual(all);
      expect(await editor.agent.request(session.list, { cwd: "/nowhere" })).toStrictEqual({ sessions: [] });
      expect(await codeOf(editor.agent.request(session.list, { cursor: "x" }))).toBe(-32602);
    },
  },
  {
    id: "DELETE-001, 002",
    title: "session/delete removes a session, and does nothing if there is none",
    run: async (editor) => {
      const sessionId = await answered(editor);
      for (const id of [sessionId, sessionId, "never", "../up"]) {
        expect(await editor.agent.request(session.delete, { sessionId: id })).toStrictEqual({});
      }
      const { sessions } = await editor.agent.request(session.list, {});
      expect(sessions.map((one) => one.sessionId)).not.toContain(sessionId);
    },
  },
  {
    id: "CLOSE-001",
    title: "session/close closes an idle session, which can be loaded again",
    run: async (editor) => {
      const sessionId = await answered(editor);
      expect(await editor.agent.request(session.close, { sessionId })).toStrictEqual({});
      expect(await codeOf(editor.say(sessionId, "Hi."))).toBe(-32002);
      expect(await codeOf(editor.agent.request(session.load, { sessionId, ...place(editor) }))).toBeUndefined();
    },
  },
  {
    id: "ADDDIRS-001",
    title: "more directories are accepted",
    run: async (editor) => {
      const additionalDirectories = [join(editor.parts.home, "agent")];
      expect(await editor.open({ additionalDirectories })).toMatchObject({ sessionId: expect.any(String) });
    },
  },
  {
    id: "MODES-001, 002",
    title: "the current mode is available, and another one can be set",
    run: async (editor) => {
      const { sessionId, modes } = await editor.open();
      const ids = modes?.availableModes.map(({ id }) => id);
      expect(ids).toContain(modes?.currentModeId);
      expect(await editor.agent.request(session.setMode, { sessionId, modeId: "plan" })).toStrictEqual({});
      expect(editor.of(sessionId, "current_mode_update").at(-1)).toMatchObject({ currentModeId: "plan" });
      const [option] = editor.of(sessionId, "config_option_update").at(-1)?.configOptions ?? [];
      expect(option).toMatchObject({ id: "mode", currentValue: "plan" });
      expect(await codeOf(editor.agent.request(session.setMode, { sessionId, modeId: "none" }))).toBe(-32602);
    },
  },
  {
    id: "CONFIG-001, 002, 003",
    title: "options hold valid values, and all of them come back when one is set",
    run: async (editor) => {
      const { sessionId, configOptions } = await editor.open();
      for (const option of configOptions ?? []) {
        expect(option.type).toBe("select");
        const values = "options" in option ? option.options.map((one) => ("value" in one ? one.value : one.group)) : [];
        expect(values).toContain(String(option.currentValue));
      }
      const set: SetSessionConfigOptionRequest = { sessionId, configId: "mode", value: "edits" };
      const { configOptions: now } = await editor.agent.request(session.setConfigOption, set);
      expect(now.map(({ id, currentValue }) => [id, currentValue])).toMatchObject([
        ["mode", "edits"],
        ["model", expect.any(String)],
      ]);
      for (const wrong of [
        { ...set, value: "none" },
        { ...set, configId: "none" },
        { ...set, configId: "model" },
      ]) {
        expect(await codeOf(editor.agent.request(session.setConfigOption, wrong))).toBe(-32602);
      }
    },
  },
  {
    id: "AUTH-001, 002, 003",
    title: "ways to authenticate are unique, without a terminal, and lead to sessions",
    run: async (editor) => {
      const { authMethods = [] } = editor.parts.initialized;
      expect(authMethods.map(({ id }) => id)).toStrictEqual(["key"]);
      expect(await editor.agent.request(authenticate, { methodId: "key" })).toStrictEqual({});
      expect(await codeOf(editor.agent.request(authenticate, { methodId: "none" }))).toBe(-32602);
      expect(await codeOf(editor.open())).toBeUndefined();
    },
  },
];

describe("the protocol's test kit", () => {
  let editor: AcpEditor;
  beforeAll(async () => {
    editor = await acpEditor();
  });
  afterAll(() => editor[Symbol.asyncDispose]());
  test.each(CASES)("$id: $title", async ({ run }) => {
    await run(editor);
    // SCHEMA-001, SCHEMA-002, JSONRPC-002 and ERROR-001, of all that was sent so far.
    expect(wireProblems(editor.parts.wire)).toStrictEqual([]);
  });
});

describe("the protocol's test kit, with a slow model", () => {
  const slow = async () => {
    const editor = await acpEditor({ replies: [SLOW, { text: "Later." }] });
    const { sessionId } = await editor.open();
    const answer = editor.say(sessionId, "Go on.");
    await eventually(() => editor.of(sessionId, "agent_message_chunk").length > 0);
    return { editor, sessionId, answer, [Symbol.asyncDispose]: () => editor[Symbol.asyncDispose]() };
  };

  test("CANCEL-001, 002: session/cancel ends the prompt as cancelled, and no update follows", async () => {
    await using run = await slow();
    const { editor, sessionId, answer } = run;
    await editor.agent.notify(session.cancel, { sessionId });
    expect(await answer).toStrictEqual({ stopReason: "cancelled" });
    expect(await editor.say(sessionId, "And now?")).toStrictEqual({ stopReason: "end_turn" });
    const updates = editor.updates(sessionId).filter(isHistory);
    expect(updates.map((update) => "content" in update && recordOf(update.content)["text"])).toStrictEqual([
      "One ",
      "Later.",
    ]);
    expect(wireProblems(editor.parts.wire)).toStrictEqual([]);
  });

  test("CLOSE-002: session/close cancels a running prompt", async () => {
    await using run = await slow();
    const { editor, sessionId, answer } = run;
    expect(await editor.agent.request(session.close, { sessionId })).toStrictEqual({});
    expect(await answer).toStrictEqual({ stopReason: "cancelled" });
  });

  test("$/cancel_request cancels the prompt of that request", async () => {
    await using editor = await acpEditor({ replies: [SLOW] });
    const { sessionId } = await editor.open();
    const stop = new AbortController();
    const prompt = { sessionId, prompt: [textOf("Go on.")] };
    const answer = editor.agent.request(session.prompt, prompt, { cancellationSignal: stop.signal });
    await eventually(() => editor.of(sessionId, "agent_message_chunk").length > 0);
    stop.abort();
    expect(await answer).toStrictEqual({ stopReason: "cancelled" });
  });
});

test("CLIENTCAP-001, 002, 003: a client is asked for nothing that it does not offer", async () => {
  const calls = [
    { id: "a", name: "write_file", arguments: { path: "a.txt", content: "one" } },
    { id: "b", name: "bash", arguments: { command: "cat a.txt" } },
  ];
  await using editor = await acpEditor({
    replies: [{ calls }, { calls: [{ id: "c", name: "read_file", arguments: { path: "a.txt" } }] }, { text: "Done." }],
    permission: choosing("yes"),
  });
  const { sessionId } = await editor.open();
  expect(await editor.say(sessionId, "Work.")).toStrictEqual({ stopReason: "end_turn" });
  const asked = editor.parts.wire.flatMap(({ from, message }) => {
    const { method, id } = recordOf(message);
    return from === "agent" && id !== undefined && typeof method === "string" ? [method] : [];
  });
  expect(new Set(asked)).toStrictEqual(new Set([methods.client.session.requestPermission]));
  expect(requestsOf(editor, methods.client.session.requestPermission)).not.toHaveLength(0);
  expect(wireProblems(editor.parts.wire)).toStrictEqual([]);
});

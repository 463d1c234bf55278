import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LanguageModel, ModelError, type ModelEvent, ModelScriptError, openModel } from "@mdx-ai/models";
import { endOf, eventsOf, modelRequest, told } from "../../support/model-request.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** Opens a script of such a text. */
async function script(text: string): Promise<LanguageModel> {
  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, "script.jsonl"), text);
  return await openModel("script:script.jsonl", { environment: {}, cwd: directory.path });
}

const play = async (reply: unknown): Promise<ModelEvent[]> => eventsOf(await script(JSON.stringify(reply)));

describe("a model script", () => {
  test("is played in order, one reply a request, and running out is an error that says so", async () => {
    const model = await script('\uFEFF{"text":"one"}\r\n\n  \n{"text":"two"}');
    expect([model.provider, model.name]).toEqual(["script", "script.jsonl"]);
    expect(told(await eventsOf(model))).toEqual(["start", "text_start 0", "text_delta 0 one", "text_end 0", "done"]);
    expect(endOf(await eventsOf(model)).message.content).toEqual([{ type: "text", text: "two" }]);
    for (const number of [3, 4]) {
      const events = await eventsOf(model);
      expect(told(events)).toEqual(["error"]);
      expect(endOf(events).message.errorMessage).toBe(`script.jsonl has 2 replies; this is request ${number}`);
    }
  });

  test("plays thinking, text in deltas, calls, usage and a stop reason", async () => {
    const events = await play({
      thinking: "Hm.",
      deltas: ["Grü", "", "ße"],
      calls: [{ id: "c1", name: "read_file", arguments: { path: "ä" } }, { name: "list" }],
      usage: { input: 5, cacheRead: 2 },
      stopReason: "length",
    });
    expect(told(events)).toEqual([
      "start",
      "thinking_start 0",
      "thinking_delta 0 Hm.",
      "thinking_end 0",
      "text_start 1",
      "text_delta 1 Grü",
      "text_delta 1 ße",
      "text_end 1",
      "toolcall_start 2",
      'toolcall_delta 2 {"path":"ä"}',
      "toolcall_end 2",
      "toolcall_start 3",
      "toolcall_delta 3 {}",
      "toolcall_end 3",
      "done",
    ]);
    expect(endOf(events).message).toMatchObject({
      content: [
        { type: "thinking", thinking: "Hm." },
        { type: "text", text: "Grüße" },
        { type: "toolCall", id: "c1", name: "read_file", arguments: { path: "ä" } },
        { type: "toolCall", id: "script-1-2", name: "list", arguments: {} },
      ],
      usage: { input: 5, output: 0, cacheRead: 2, cacheWrite: 0, thinking: 0, total: 7 },
      stopReason: "length",
      provider: "script",
    });
  });

  test("calls have the stop reason toolUse, and arguments as a string are their very text", async () => {
    expect(endOf(await play({ calls: [{ name: "a", arguments: '{"half":' }] })).message).toMatchObject({
      stopReason: "toolUse",
      content: [{ arguments: {}, malformed: '{"half":' }],
    });
  });

  test.each([
    { error: { message: "gone" }, events: ["error"] },
    { error: { message: "gone", status: 529, after: 0 }, events: ["start", "text_start 0", "error"] },
    {
      error: { message: "gone", after: 2 },
      events: ["start", "text_start 0", "text_delta 0 a", "text_delta 0 b", "error"],
    },
    {
      error: { message: "gone", after: 9 },
      events: ["start", "text_start 0", "text_delta 0 a", "text_delta 0 b", "text_delta 0 c", "text_end 0", "error"],
    },
  ])("fails where the script says: %j", async ({ error, events }) => {
    const got = await play({ deltas: ["a", "b", "c"], error });
    expect(told(got)).toEqual([...events]);
    const end = endOf(got);
    expect(end).toMatchObject({ type: "error", message: { stopReason: "error", errorMessage: "gone" } });
    expect("error" in end ? end.error : end).toBeInstanceOf(ModelError);
    expect(end).toMatchObject({
      error: { failure: { isTransient: error.status === 529, ...(error.status && { status: error.status }) } },
    });
  });

  test("an error alone is a reply, and one in a call leaves the call malformed", async () => {
    expect(told(await play({ error: { message: "overloaded" } }))).toEqual(["error"]);
    const broken = await play({ calls: [{ id: "1", name: "a" }], error: { message: "gone", after: 0 } });
    expect(endOf(broken).message.content).toEqual([
      { type: "toolCall", id: "1", name: "a", arguments: {}, malformed: "" },
    ]);
  });

  test.each([
    { reply: { text: "never", delay: 60_000 }, until: "asked", content: [] },
    {
      reply: { deltas: ["a", "never"], deltaDelay: 60_000 },
      until: "text_delta",
      content: [{ type: "text", text: "a" }],
    },
    { reply: { deltas: ["a", "never"] }, until: "text_delta", content: [{ type: "text", text: "a" }] },
  ])("an abort ends any wait and keeps what had arrived: %j", async ({ reply, until, content }) => {
    const model = await script(JSON.stringify(reply));
    const controller = new AbortController();
    if (until === "asked") setTimeout(() => controller.abort(), 5);
    const events: ModelEvent[] = [];
    for await (const event of model.stream(modelRequest("Hi"), controller.signal)) {
      events.push(event);
      if (event.type === until) controller.abort();
    }
    expect(endOf(events)).toMatchObject({ type: "error", message: { stopReason: "aborted", content } });
  });

  test("waits before the answer and between its deltas", async () => {
    const before = performance.now();
    await play({ deltas: ["a", "b", "c"], delay: 20, deltaDelay: 20 });
    expect(performance.now() - before).toBeGreaterThan(55);
  });
});

describe("a broken line of a model script", () => {
  test.each([
    { line: "{", says: "not JSON; expected an object on one line" },
    { line: "[]", says: "unexpected a list, expected an object" },
    { line: '"text"', says: "unexpected `text`, expected an object" },
    { line: "{}", says: "the reply has no content" },
    { line: '{"delay":1}', says: "the reply has no content" },
    { line: '{"tetx":"a"}', says: "stopReason, error; did you mean `text`?" },
    { line: '{"__proto__":{}}', says: "unexpected field `__proto__`" },
    { line: '{"toString":1}', says: "unexpected field `toString`" },
    { line: '{"text":1}', says: "unexpected `1` as `text`, expected a string" },
    { line: '{"text":"a","deltas":["b"]}', says: "unexpected field `deltas`" },
    { line: '{"deltas":"a"}', says: "unexpected `a` as `deltas`, expected a list" },
    { line: '{"deltas":["a",null]}', says: "unexpected nothing as `deltas[1]`, expected a string" },
    { line: '{"calls":[{"id":"1"}]}', says: "no `calls[0].name`, expected one" },
    { line: '{"calls":[{"name":""}]}', says: "calls[0].name" },
    {
      line: '{"calls":[{"name":"a","arguments":[]}]}',
      says: "unexpected a list as `calls[0].arguments`, expected an object, or a string",
    },
    {
      line: '{"calls":[{"name":"a","input":{}}]}',
      says: "unexpected field `calls[0].input`, expected one of id, name, arguments",
    },
    { line: '{"text":"a","usage":{"input":-1}}', says: "unexpected `-1` as `usage.input`" },
    { line: '{"text":"a","usage":{"in":1}}', says: "unexpected field `usage.in`" },
    { line: '{"text":"a","delay":1e12}', says: "unexpected `1000000000000` as `delay`, expected milliseconds" },
    { line: '{"text":"a","stopReason":"aborted"}', says: "unexpected `aborted` as `stopReason`, expected one of stop" },
    { line: '{"error":{}}', says: "no `error.message`, expected one" },
    { line: '{"error":{"message":"a","status":200}}', says: "unexpected `200` as `error.status`" },
    { line: '{"error":"a"}', says: "unexpected `a` as `error`, expected an object" },
  ])("is reported with its position: $line", async ({ line, says }) => {
    const error: unknown = await script(`{"text":"fine"}\n\n${line}\n`).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ModelScriptError);
    expect(error).toMatchObject({ line: 3 });
    expect(`${error}`).toContain("script.jsonl:3: ");
    expect(`${error}`).toContain(says);
    expect(`${error}`).not.toContain("\n");
  });

  test("is found in a folder, too: that is no file", async () => {
    using directory = temporaryDirectory();
    const error: unknown = await openModel(`script:${directory.path}`, { environment: {} }).catch(
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(ModelScriptError);
  });
});

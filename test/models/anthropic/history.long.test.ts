import { afterAll, describe, expect, test } from "bun:test";
import type { AssistantContent, Message } from "@mdx-ai/models";
import fc from "fast-check";
import { refusalOf } from "../../support/anthropic-refusal.ts";
import { bodyRecorder } from "../../support/body-recorder.ts";
import { assistantMessage, modelRequest, toolResult, userMessage } from "../../support/model-request.ts";
import { randomCases } from "../../support/random-cases.ts";

const call = (id: string, name = "tool"): AssistantContent => ({ type: "toolCall", id, name, arguments: { id } });
const text = (text: string): AssistantContent => ({ type: "text", text });
const use = (id: string) => ({ type: "tool_use", id, name: "tool", input: { id } });
const result = (id: string, text: string) => ({
  type: "tool_result",
  tool_use_id: id,
  content: [{ type: "text", text }],
});
const failed = (id: string, text: string) => ({ ...result(id, text), is_error: true });
const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } };
const said = (text: string) => ({ type: "text", text });
const interrupted = "interrupted, outcome unknown";

const cases: readonly { title: string; history: readonly Message[]; wire: readonly unknown[] }[] = [
  {
    title: "results of one message go back in one, in the order of the calls, before what the user said since",
    history: [
      userMessage("Go."),
      assistantMessage([text("I will."), call("1"), call("2")]),
      toolResult("2", "two"),
      toolResult("1", "one", { isError: true }),
      userMessage("And hurry."),
    ],
    wire: [
      { role: "user", content: [said("Go.")] },
      { role: "assistant", content: [said("I will."), use("1"), use("2")] },
      { role: "user", content: [failed("1", "one"), result("2", "two"), said("And hurry.")] },
    ],
  },
  {
    title: "the images of a failed tool follow all results, since an error may hold only texts",
    history: [
      userMessage("Go."),
      assistantMessage([call("1"), call("2"), call("3")]),
      toolResult("1", "one", { isError: true, content: [{ type: "text", text: "one" }, image] }),
      toolResult("2", "", { isError: true, content: [image] }),
      toolResult("3", "", { content: [image] }),
      userMessage("Well?"),
    ],
    wire: [
      { role: "user", content: [said("Go.")] },
      { role: "assistant", content: [use("1"), use("2"), use("3")] },
      {
        role: "user",
        content: [
          failed("1", "one"),
          failed("2", "failed without a message"),
          { type: "tool_result", tool_use_id: "3", content: [picture] },
          ...[said("From the tool tool:"), picture, said("From the tool tool:"), picture],
          said("Well?"),
        ],
      },
    ],
  },
  {
    title: "a call of what cannot be a tool's name goes back under a name that is accepted",
    history: [
      userMessage("Go."),
      assistantMessage([call("1", "fs.list\ud800"), call("2", ""), call("3", "t".repeat(100))]),
      toolResult("1", "one"),
      toolResult("2", "two"),
      toolResult("3", "three"),
    ],
    wire: [
      { role: "user", content: [said("Go.")] },
      {
        role: "assistant",
        content: [
          { ...use("1"), name: "fs_list_" },
          { ...use("2"), name: "tool" },
          { ...use("3"), name: "t".repeat(64) },
        ],
      },
      { role: "user", content: [result("1", "one"), result("2", "two"), result("3", "three")] },
    ],
  },
  {
    title: "a result that comes after the user's message is still sent first",
    history: [userMessage("Go."), assistantMessage([call("1")]), userMessage("Wait!"), toolResult("1", "one")],
    wire: [
      { role: "user", content: [said("Go.")] },
      { role: "assistant", content: [use("1")] },
      { role: "user", content: [result("1", "one"), said("Wait!")] },
    ],
  },
  {
    title: "a call without a result is answered as interrupted, at any position",
    history: [
      userMessage("Go."),
      assistantMessage([call("1"), call("2")]),
      toolResult("1", "one"),
      assistantMessage([call("3")]),
      userMessage("What now?"),
    ],
    wire: [
      { role: "user", content: [said("Go.")] },
      { role: "assistant", content: [use("1"), use("2")] },
      { role: "user", content: [result("1", "one"), failed("2", interrupted)] },
      { role: "assistant", content: [use("3")] },
      { role: "user", content: [failed("3", interrupted), said("What now?")] },
    ],
  },
  {
    title: "of an answer that broke off goes its text, and its results go nowhere",
    history: [
      userMessage("Go."),
      assistantMessage([{ type: "thinking", thinking: "Hm", signature: "s" }, text("Half"), call("1")], {
        stopReason: "error",
      }),
      toolResult("1", "one"),
      userMessage("Again."),
      assistantMessage([call("2")], { stopReason: "aborted" }),
      userMessage("Once more."),
    ],
    wire: [
      { role: "user", content: [said("Go.")] },
      { role: "assistant", content: [said("Half")] },
      { role: "user", content: [said("Again."), said("Once more.")] },
    ],
  },
  {
    title: "thinking goes back byte for byte where anthropic signed it, and nowhere else",
    history: [
      userMessage("Go."),
      assistantMessage([
        { type: "thinking", thinking: " Hm…\n", signature: "c2ln" },
        { type: "thinking", thinking: "", redacted: "ZGF0YQ==" },
        { type: "thinking", thinking: "", signature: "b25seQ==" },
        { type: "thinking", thinking: "unsigned" },
        call("1"),
        { type: "thinking", thinking: "last", signature: "s" },
      ]),
      toolResult("1", "one"),
      assistantMessage([{ type: "thinking", thinking: "foreign", signature: "s" }, text("Done.")], {
        provider: "other",
      }),
      userMessage("Good."),
    ],
    wire: [
      { role: "user", content: [said("Go.")] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: " Hm…\n", signature: "c2ln" },
          { type: "redacted_thinking", data: "ZGF0YQ==" },
          { type: "thinking", thinking: "", signature: "b25seQ==" },
          use("1"),
        ],
      },
      { role: "user", content: [result("1", "one")] },
      { role: "assistant", content: [said("Done.")] },
      { role: "user", content: [said("Good.")] },
    ],
  },
  {
    title: "texts that hold nothing are left out, and a message that says nothing keeps its place",
    history: [
      {
        role: "user",
        content: [
          { type: "text", text: "" },
          { type: "text", text: "Go." },
        ],
        timestamp: 0,
      },
      assistantMessage([text(" \n"), call("1"), call("2")]),
      toolResult("1", ""),
      toolResult("2", " ", { isError: true }),
      assistantMessage([text("")]),
      userMessage(""),
    ],
    wire: [
      { role: "user", content: [said("Go.")] },
      { role: "assistant", content: [use("1"), use("2")] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "1" }, failed("2", "failed without a message"), said("(empty)")],
      },
    ],
  },
  {
    title: "images go along, in results too",
    history: [
      { role: "user", content: [{ type: "image", data: "aGk=", mimeType: "image/png" }], timestamp: 0 },
      assistantMessage([call("1")]),
      toolResult("1", "", { content: [{ type: "image", data: "aG8=", mimeType: "image/jpeg" }] }),
    ],
    wire: [
      { role: "user", content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } }] },
      { role: "assistant", content: [use("1")] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "1",
            content: [{ type: "image", source: { type: "base64", media_type: "image/jpeg", data: "aG8=" } }],
          },
        ],
      },
    ],
  },
  {
    title: "ids of other providers are made valid and unique",
    history: [
      userMessage("Go."),
      assistantMessage([call("fc:1"), call("")]),
      toolResult("", "empty"),
      toolResult("fc:1", "odd"),
      assistantMessage([call("fc_1")]),
      toolResult("fc_1", "next"),
    ],
    wire: [
      { role: "user", content: [said("Go.")] },
      {
        role: "assistant",
        content: [
          { ...use("fc_1"), input: { id: "fc:1" } },
          { ...use("call"), input: { id: "" } },
        ],
      },
      { role: "user", content: [result("fc_1", "odd"), result("call", "empty")] },
      { role: "assistant", content: [{ ...use("fc_1_2"), input: { id: "fc_1" } }] },
      { role: "user", content: [result("fc_1_2", "next")] },
    ],
  },
  {
    title: "a malformed call goes back without arguments, with its result",
    history: [
      userMessage("Go."),
      assistantMessage([{ type: "toolCall", id: "1", name: "tool", arguments: {}, malformed: '{"a' }], {
        stopReason: "length",
      }),
      toolResult("1", "not run", { isError: true }),
    ],
    wire: [
      { role: "user", content: [said("Go.")] },
      { role: "assistant", content: [{ ...use("1"), input: {} }] },
      { role: "user", content: [failed("1", "not run")] },
    ],
  },
  {
    title: "an answer that paused and its continuation are one",
    history: [
      userMessage("Go."),
      assistantMessage([text("One,")], { stopReason: "pause" }),
      assistantMessage([text("two.")]),
      userMessage("On."),
    ],
    wire: [
      { role: "user", content: [said("Go.")] },
      { role: "assistant", content: [said("One,"), said("two.")] },
      { role: "user", content: [said("On.")] },
    ],
  },
];

const recorder = bodyRecorder();
afterAll(() => recorder[Symbol.dispose]());

/** The body of a request with a history, of a new model if none is given. */
async function bodyOf(history: readonly Message[], model = recorder.open("anthropic/claude-test")): Promise<string> {
  return recorder.body(await model, modelRequest(history, { system: "Be kind." }));
}

/** The messages of a body, without the marks for the provider's cache. */
const messagesIn = (body: string): unknown =>
  JSON.parse(body, (key, value) => (key === "cache_control" ? undefined : value)).messages;

describe("a history for anthropic", () => {
  test.each(cases)("$title", async ({ history, wire }) => {
    const body = await bodyOf(history);
    expect(messagesIn(body)).toEqual(wire);
    expect(refusalOf(body)).toBeUndefined();
  });

  const words = fc.constantFrom("", " ", "Hi.", "🦊", "\ud83e", "\\ud83e");
  const ids = fc.constantFrom("a", "b", "c:1", "c_1", "", "ü");
  const block: fc.Arbitrary<AssistantContent> = fc.oneof(
    words.map(text),
    fc.record({ type: fc.constant("thinking" as const), thinking: words, signature: fc.constant("s") }),
    fc.record({ type: fc.constant("thinking" as const), thinking: words }),
    fc.record({ type: fc.constant("thinking" as const), thinking: fc.constant(""), redacted: fc.constant("r") }),
    ids.map((id) => call(id)),
  );
  const message: fc.Arbitrary<Message> = fc.oneof(
    words.map(userMessage),
    fc
      .tuple(
        fc.array(block, { maxLength: 5 }),
        fc.constantFrom("stop", "toolUse", "length", "error", "aborted", "pause"),
        fc.constantFrom("anthropic", "script"),
      )
      .map(([content, stopReason, provider]) => assistantMessage(content, { stopReason, provider })),
    fc.tuple(ids, words, fc.boolean()).map(([id, word, isError]) => toolResult(id, word, { isError })),
  );

  test("is accepted with any content", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 12 }), async (messages) => {
        expect(refusalOf(await bodyOf([userMessage("Go."), ...messages]))).toBeUndefined();
      }),
      randomCases(2000),
    );
  });

  test("is sent in the same bytes when it comes back from a journal", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 12 }), async (messages) => {
        const stored: readonly Message[] = JSON.parse(JSON.stringify(messages));
        expect(await bodyOf(stored)).toBe(await bodyOf(messages));
      }),
      randomCases(500),
    );
  });

  test("is the same whether it is converted at once or as it grows, also where it was another one before", async () => {
    const growing = recorder.open("anthropic/claude-test");
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 12 }), async (messages) => {
        for (let length = 0; length <= messages.length; length++) {
          const history = messages.slice(0, length);
          expect(await bodyOf(history, growing)).toBe(await bodyOf(history));
        }
      }),
      randomCases(500),
    );
  });
});

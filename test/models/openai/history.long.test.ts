import { afterAll, describe, expect, test } from "bun:test";
import type { AssistantContent, AssistantMessage, LanguageModel, Message } from "@mdx-ai/models";
import fc from "fast-check";
import { bodyRecorder } from "../../support/body-recorder.ts";
import { assistantMessage, modelRequest, toolResult, userMessage } from "../../support/model-request.ts";
import { refusalOf } from "../../support/openai-refusal.ts";
import { type RuledVendor, vendorRules } from "../../support/openai-rules.ts";
import { randomCases } from "../../support/random-cases.ts";

const call = (id: string, name = "tool"): AssistantContent => ({ type: "toolCall", id, name, arguments: { id } });
const text = (text: string): AssistantContent => ({ type: "text", text });
const answered = (content: readonly AssistantContent[], rest: Partial<AssistantMessage> = {}) =>
  assistantMessage(content, { provider: "openai", ...rest });
const use = (id: string, original = id) => ({
  id,
  type: "function",
  function: { name: "tool", arguments: JSON.stringify({ id: original }) },
});
const user = (content: unknown) => ({ role: "user", content });
const tool = (id: string, content: unknown) => ({ role: "tool", tool_call_id: id, content });
const calls = (...tool_calls: unknown[]) => ({ role: "assistant", content: "", tool_calls });
const image = (data: string) => ({ type: "image", data, mimeType: "image/png" }) as const;
const wireImage = (data: string) => ({ type: "image_url", image_url: { url: `data:image/png;base64,${data}` } });
const go = user("Go.");

const recorder = bodyRecorder();
afterAll(() => recorder[Symbol.dispose]());

const modelOf = (vendor: RuledVendor): Promise<LanguageModel> => recorder.open(`${vendor}/m`);

/** The body of a request with a history, of a new model if none is given. */
async function bodyOf(vendor: RuledVendor, messages: readonly Message[], model = modelOf(vendor)): Promise<string> {
  return recorder.body(await model, modelRequest(messages, { system: "Be kind." }));
}

interface Case {
  readonly title: string;
  readonly vendor?: RuledVendor;
  readonly history: readonly Message[];
  readonly wire: readonly unknown[];
}

const cases: readonly Case[] = [
  {
    title: "results follow their answer in the order of its calls, in any order of arrival",
    history: [
      userMessage("Go."),
      answered([text("I do."), call("1"), call("2")]),
      toolResult("2", "b"),
      toolResult("1", "a"),
    ],
    wire: [go, { ...calls(use("1"), use("2")), content: "I do." }, tool("1", "a"), tool("2", "b")],
  },
  {
    title: "a call without a result is answered as interrupted, before what the user says next",
    history: [userMessage("Go."), answered([call("1"), call("2")]), toolResult("2", "b"), userMessage("On.")],
    wire: [
      go,
      calls(use("1"), use("2")),
      tool("1", "Error: interrupted, outcome unknown"),
      tool("2", "b"),
      user("On."),
    ],
  },
  {
    title: "results that answer nothing are left out",
    history: [toolResult("0", "lost"), userMessage("Go."), answered([text("Yes.")]), toolResult("1", "lost")],
    wire: [go, { role: "assistant", content: "Yes." }],
  },
  {
    title: "an answer that broke off sends its text alone",
    history: [
      userMessage("Go."),
      answered([{ type: "thinking", thinking: "Hm" }, text("Half"), call("1")], { stopReason: "error" }),
      toolResult("1", "lost"),
      answered([call("2")], { stopReason: "aborted" }),
      userMessage("On."),
    ],
    wire: [go, { role: "assistant", content: "Half" }, user("On.")],
  },
  {
    title: "a message that says nothing is left out, or said to be empty where the user sent it",
    history: [userMessage(" "), answered([text(""), { type: "thinking", thinking: "Hm" }]), userMessage("On.")],
    wire: [user("(empty)"), user("On.")],
  },
  {
    title: "results that say nothing say so",
    history: [
      userMessage("Go."),
      answered([call("1"), call("2"), call("3")]),
      toolResult("1", ""),
      toolResult("2", " ", { isError: true }),
      toolResult("3", "Error: no such file", { isError: true }),
    ],
    wire: [
      go,
      calls(use("1"), use("2"), use("3")),
      tool("1", "(no output)"),
      tool("2", "Error: failed without a message"),
      tool("3", "Error: no such file"),
    ],
  },
  {
    title: "images are sent as data URLs, images of results in a message after all results",
    history: [
      { role: "user", content: [{ type: "text", text: "Look:" }, image("aGk=")], timestamp: 0 },
      answered([call("1"), call("2")]),
      toolResult("1", "", { content: [image("aG8=")], toolName: "draw" }),
      toolResult("2", "b"),
      userMessage("Well?"),
    ],
    wire: [
      user([{ type: "text", text: "Look:" }, wireImage("aGk=")]),
      calls(use("1"), use("2")),
      tool("1", "(an image)"),
      tool("2", "b"),
      user([{ type: "text", text: "From the tool draw:" }, wireImage("aG8=")]),
      user("Well?"),
    ],
  },
  {
    title: "ids of other providers are made valid, unique and short",
    history: [
      userMessage("Go."),
      answered([call("fc:1"), call("")]),
      toolResult("", "empty"),
      toolResult("fc:1", "odd"),
      answered([call("fc_1"), call("x".repeat(50)), call(`${"x".repeat(50)}y`)]),
      toolResult("fc_1", "next"),
      toolResult("x".repeat(50), "long"),
      toolResult(`${"x".repeat(50)}y`, "longer"),
    ],
    wire: [
      go,
      calls(use("fc_1", "fc:1"), use("call", "")),
      tool("fc_1", "odd"),
      tool("call", "empty"),
      calls(
        use("fc_1_2", "fc_1"),
        use("x".repeat(40), "x".repeat(50)),
        use(`${"x".repeat(38)}_2`, `${"x".repeat(50)}y`),
      ),
      tool("fc_1_2", "next"),
      tool("x".repeat(40), "long"),
      tool(`${"x".repeat(38)}_2`, "longer"),
    ],
  },
  {
    title: "a malformed call goes back without arguments, under a name within the alphabet",
    history: [
      userMessage("Go."),
      answered([{ type: "toolCall", id: "1", name: "fs.läs", arguments: {}, malformed: '{"a' }]),
      toolResult("1", "not run", { isError: true }),
    ],
    wire: [
      go,
      calls({ id: "1", type: "function", function: { name: "fs_l_s", arguments: "{}" } }),
      tool("1", "Error: not run"),
    ],
  },
  {
    title: "unpaired surrogates are fixed, also within arguments and their names",
    history: [
      userMessage("cut \ud83e"),
      answered([
        { type: "toolCall", id: "1", name: "tool", arguments: { a: "\udd8a", "\ud83e": "literal \\ud83e, 🦊" } },
      ]),
      toolResult("1", "\udd8a\udd8a"),
    ],
    wire: [
      user("cut \ufffd"),
      calls({
        id: "1",
        type: "function",
        function: { name: "tool", arguments: '{"a":"\ufffd","\ufffd":"literal \\\\ud83e, 🦊"}' },
      }),
      tool("1", "\ufffd\ufffd"),
    ],
  },
  {
    title: "thinking stays behind",
    history: [userMessage("Go."), answered([{ type: "thinking", thinking: "Hm", signature: "[]" }, text("Yes.")])],
    wire: [go, { role: "assistant", content: "Yes." }],
  },
  {
    title: "thinking goes back to deepseek, of its own answers, and the field with each answer",
    vendor: "deepseek",
    history: [
      userMessage("Go."),
      answered([{ type: "thinking", thinking: "Hm" }, call("1")], { provider: "deepseek" }),
      toolResult("1", "a"),
      answered([{ type: "thinking", thinking: "Not mine" }, call("2")], { provider: "anthropic" }),
      toolResult("2", "b"),
      answered([text("Yes.")], { provider: "deepseek" }),
    ],
    wire: [
      go,
      { ...calls(use("1")), reasoning_content: "Hm" },
      tool("1", "a"),
      { ...calls(use("2")), reasoning_content: "" },
      tool("2", "b"),
      { role: "assistant", content: "Yes.", reasoning_content: "" },
    ],
  },
  {
    title: "signatures of calls go back to gemini, and other calls get the placeholder",
    vendor: "gemini",
    history: [
      userMessage("Go."),
      answered(
        [
          {
            type: "toolCall",
            id: "1",
            name: "tool",
            arguments: {},
            signature: '{"google":{"thought_signature":"c2ln"}}',
          },
          call("2"),
        ],
        { provider: "gemini" },
      ),
      toolResult("1", "a"),
      toolResult("2", "b"),
      answered([call("3"), call("4")], { provider: "anthropic" }),
    ],
    wire: [
      go,
      calls(
        {
          id: "1",
          type: "function",
          function: { name: "tool", arguments: "{}" },
          extra_content: { google: { thought_signature: "c2ln" } },
        },
        use("2"),
      ),
      tool("1", "a"),
      tool("2", "b"),
      calls(
        { ...use("3"), extra_content: { google: { thought_signature: "skip_thought_signature_validator" } } },
        use("4"),
      ),
      tool("3", "Error: interrupted, outcome unknown"),
      tool("4", "Error: interrupted, outcome unknown"),
    ],
  },
  {
    title: "details of reasoning go back to openrouter",
    vendor: "openrouter",
    history: [
      userMessage("Go."),
      answered(
        [
          { type: "thinking", thinking: "Hm", signature: '[{"type":"reasoning.text","text":"Hm","signature":"s"}]' },
          text("Yes."),
        ],
        { provider: "openrouter" },
      ),
      userMessage("On."),
      answered([{ type: "thinking", thinking: "Hm", signature: "not JSON" }, text("Yes.")], { provider: "openrouter" }),
    ],
    wire: [
      go,
      {
        role: "assistant",
        content: "Yes.",
        reasoning_details: [{ type: "reasoning.text", text: "Hm", signature: "s" }],
      },
      user("On."),
      { role: "assistant", content: "Yes." },
    ],
  },
  {
    title: "mistral gets ids of nine characters, images with their result, and a word between a result and the user",
    vendor: "mistral",
    history: [
      userMessage("Go."),
      answered([call("abcDEF123"), call("call_1")]),
      toolResult("abcDEF123", "", { content: [image("aG8=")] }),
      toolResult("call_1", "b"),
      userMessage("On."),
    ],
    wire: [
      go,
      calls(use("abcDEF123"), use(expect.stringMatching(/^[0-9a-f]{9}$/), "call_1")),
      tool("abcDEF123", [{ type: "text", text: "(an image)" }, wireImage("aG8=")]),
      tool(expect.stringMatching(/^[0-9a-f]{9}$/), "b"),
      { role: "assistant", content: "(no answer)" },
      user("On."),
    ],
  },
];

test.each(["mistral/codestral-latest", "deepseek/deepseek-v4-pro"])(
  "%s, which takes no images, gets a text instead",
  async (name) => {
    const history: readonly Message[] = [
      { role: "user", content: [{ type: "text", text: "Look:" }, image("aGk=")], timestamp: 0 },
      answered([call("1")]),
      toolResult("1", "", { content: [{ type: "text", text: "a.png" }, image("aG8=")] }),
    ];
    const body = await bodyOf("openai", history, recorder.open(name));
    const left = "[image omitted: this model does not accept images]";
    expect(body).not.toContain("image_url");
    expect(JSON.parse(body).messages).toMatchObject([
      { role: "system" },
      user(`Look:\n${left}`),
      { role: "assistant" },
      { role: "tool", content: `a.png\n${left}` },
    ]);
  },
);

describe("a history for chat completions", () => {
  test.each([...cases])("$title", async ({ vendor = "openai", history, wire }) => {
    const body = await bodyOf(vendor, history);
    expect(JSON.parse(body).messages).toEqual([{ role: "system", content: "Be kind." }, ...wire]);
    expect(refusalOf(body, vendorRules[vendor])).toBeUndefined();
  });

  const vendors: readonly RuledVendor[] = ["openai", "azure", "gemini", "mistral", "openrouter", "deepseek", "ollama"];
  const words = fc.constantFrom("", " ", "Hi.", "🦊", "\ud83e", "\\ud83e");
  const ids = fc.constantFrom("a", "b", "c:1", "c_1", "", "ü", "x".repeat(60), "abcdefgh1");
  const block: fc.Arbitrary<AssistantContent> = fc.oneof(
    words.map(text),
    fc.record({
      type: fc.constant("thinking" as const),
      thinking: words,
      signature: fc.constantFrom("[]", "{", "[{}]"),
    }),
    fc.record({ type: fc.constant("thinking" as const), thinking: words }),
    ids.map((id) => call(id)),
    ids.map((id) => call(id, "no.such tool")),
  );
  const content = fc.array(
    fc.oneof(
      words.map((word) => ({ type: "text" as const, text: word })),
      fc.constant(image("aGk=")),
    ),
    { maxLength: 3 },
  );
  const message: fc.Arbitrary<Message> = fc.oneof(
    content.map((parts) => ({ role: "user" as const, content: parts, timestamp: 0 })),
    fc
      .tuple(
        fc.array(block, { maxLength: 5 }),
        fc.constantFrom("stop", "toolUse", "length", "error", "aborted", "pause", "refusal"),
        fc.constantFrom("openai", "deepseek", "anthropic"),
      )
      .map(([blocks, stopReason, provider]) => assistantMessage(blocks, { stopReason, provider })),
    fc.tuple(ids, content, fc.boolean()).map(([id, parts, isError]) => toolResult(id, "", { content: parts, isError })),
  );

  test("is accepted by every vendor, with any content", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...vendors), fc.array(message, { maxLength: 12 }), async (vendor, messages) => {
        const body = await bodyOf(vendor, [userMessage("Go."), ...messages]);
        expect(refusalOf(body, vendorRules[vendor])).toBeUndefined();
      }),
      randomCases(2000),
    );
  });

  test("is the same whether it is converted at once or as it grows, also where it was another one before", async () => {
    const growing = new Map(vendors.map((vendor) => [vendor, modelOf(vendor)]));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...vendors), fc.array(message, { maxLength: 12 }), async (vendor, messages) => {
        for (let length = 0; length <= messages.length; length++) {
          const history = messages.slice(0, length);
          expect(await bodyOf(vendor, history, growing.get(vendor))).toBe(await bodyOf(vendor, history));
        }
      }),
      randomCases(500),
    );
  });

  test("is the same bytes after a reload, and a longer one begins with them", async () => {
    const history: Message[] = [userMessage("Go.")];
    let before = "";
    for (let turn = 0; turn < 50; turn++) {
      const grown = modelOf("openai");
      const body = await bodyOf("openai", history, grown);
      const reloaded: Message[] = JSON.parse(JSON.stringify(history));
      expect(await bodyOf("openai", reloaded)).toBe(body);
      expect(await bodyOf("openai", history, grown)).toBe(body);
      expect(body.startsWith(before)).toBe(true);
      before = body.slice(0, -"]}".length);
      const ids = [`a${turn}`, `b${turn}`];
      history.push(answered(ids.map((id) => call(id))), ...ids.map((id) => toolResult(id, `done ${turn}`)));
    }
  });
});

import { expect, test } from "bun:test";
import { fromAiSdk, type Message, type ModelRequest } from "@mdx-ai/models";
import { aiSdkProvider, finishPart, textParts } from "../../support/ai-sdk-provider.ts";
import {
  assistantMessage,
  endOf,
  eventsOf,
  modelRequest,
  toolResult,
  toolSchema,
  userMessage,
} from "../../support/model-request.ts";

const provider = "ai-sdk:hand.written";

/** What a provider is called with for a request. */
async function callFor(request: ModelRequest, version = "v4", options = {}) {
  const model = aiSdkProvider([{ parts: [...textParts("0", "Well"), finishPart()] }], version);
  endOf(await eventsOf(fromAiSdk(model, options), request));
  return model.calls[0] ?? {};
}

const promptFor = async (messages: readonly Message[], version?: string) =>
  (await callFor(modelRequest(messages), version))["prompt"];

const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
const call = { type: "toolCall", id: "c1", name: "look", arguments: { at: "sea" } } as const;

test("nothing is sent that was not asked for", async () => {
  const prompt = [{ role: "user", content: [{ type: "text", text: "Hello" }] }];
  expect(await callFor(modelRequest("Hello"))).toEqual({ prompt, providerOptions: {}, abortSignal: {} });
});

test("settings, tools and the provider's own options are sent as they are", async () => {
  const tool = toolSchema("look", "Looks", { at: "string", far: "boolean?" });
  const request = modelRequest("Hello", {
    system: "Be brief.",
    tools: [tool],
    temperature: 0.5,
    maxTokens: 100,
    effort: "low",
  });
  const providerOptions = { hand: { cache: true } };
  expect(await callFor(request, "v4", { providerOptions })).toMatchObject({
    prompt: [{ role: "system", content: "Be brief." }, { role: "user" }],
    tools: [{ type: "function", name: "look", description: "Looks", inputSchema: tool.parameters }],
    temperature: 0.5,
    maxOutputTokens: 100,
    reasoning: "low",
    providerOptions,
  });
});

test.each([
  ["v4", { thinking: "off", effort: "high" }, "none"],
  ["v4", { effort: "xhigh" }, "xhigh"],
  ["v4", { effort: "enormous" }, undefined],
  ["v4", { thinking: "adaptive" }, undefined],
  ["v4", { thinking: { budget: 2000 } }, undefined],
  ["v3", { effort: "low" }, undefined],
] as const)("in version %s, %j asks for reasoning as the interface has it", async (version, rest, reasoning) => {
  expect((await callFor(modelRequest("Hello", rest), version))["reasoning"]).toBe(reasoning);
});

test.each([
  ["v4", { type: "data", data: "aGk=" }],
  ["v3", "aGk="],
  ["v2", "aGk="],
])("in version %s an image of the user is a file", async (version, data) => {
  const messages = [{ role: "user", content: [{ type: "text", text: "See" }, image], timestamp: 0 }] as const;
  expect(await promptFor(messages, version)).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "See" },
        { type: "file", mediaType: "image/png", data },
      ],
    },
  ]);
});

test("calls are answered in their order, once, and what answers nothing is left out", async () => {
  const calls = [call, { ...call, id: "c2" }, { ...call, id: "c3" }];
  const prompt = await promptFor([
    userMessage("Look"),
    assistantMessage(calls, { provider }),
    toolResult("c2", "calm"),
    toolResult("stray", "?"),
    toolResult("c1", "no sea", { isError: true }),
    toolResult("c1", "twice"),
    userMessage("Go on"),
  ]);
  const result = (toolCallId: string, type: string, value: string): object => ({
    type: "tool-result",
    toolCallId,
    toolName: "look",
    output: { type, value },
  });
  expect(prompt).toEqual([
    { role: "user", content: [{ type: "text", text: "Look" }] },
    {
      role: "assistant",
      content: calls.map(({ id }) => ({ type: "tool-call", toolCallId: id, toolName: "look", input: { at: "sea" } })),
    },
    {
      role: "tool",
      content: [
        result("c1", "error-text", "no sea"),
        result("c2", "text", "calm"),
        result("c3", "error-text", "interrupted, outcome unknown"),
      ],
    },
    { role: "user", content: [{ type: "text", text: "Go on" }] },
  ]);
});

test("images of results follow in a message of the user", async () => {
  const content = [{ type: "text", text: "here" }, image] as const;
  const prompt = await promptFor([
    userMessage("Look"),
    assistantMessage([call], { provider }),
    toolResult("c1", "", { content }),
  ]);
  expect(prompt).toMatchObject([
    { role: "user" },
    { role: "assistant" },
    { role: "tool", content: [{ output: { type: "text", value: "here\n[image: see the next message]" } }] },
    { role: "user", content: [{ text: "From the result of look (c1):" }, { type: "file", mediaType: "image/png" }] },
  ]);
});

test("metadata of thoughts, texts and calls goes back byte for byte, after a reload of the session too", async () => {
  const metadata = {
    hand: { signature: "sig+/=\u2028 \ud83d\ude00", nested: { redactedData: "AAA", n: 1e21, none: null } },
  };
  const parts = [
    { type: "reasoning-start", id: "0", providerMetadata: { hand: { signature: "first" } } },
    { type: "reasoning-delta", id: "0", delta: "Hm" },
    { type: "reasoning-delta", id: "0", delta: "", providerMetadata: metadata },
    { type: "reasoning-end", id: "0" },
    { type: "reasoning-start", id: "1", providerMetadata: metadata },
    { type: "reasoning-end", id: "1" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "Look" },
    { type: "text-end", id: "0", providerMetadata: metadata },
    { type: "tool-call", toolCallId: "c1", toolName: "look", input: "{}", providerMetadata: metadata },
    finishPart("tool-calls"),
  ];
  const hand = aiSdkProvider([{ parts }, { parts: [...textParts("0", "Done"), finishPart()] }]);
  const model = fromAiSdk(hand);
  const { message } = endOf(await eventsOf(model, modelRequest("Look")));
  const reloaded: typeof message = JSON.parse(JSON.stringify(message));
  endOf(await eventsOf(model, modelRequest([userMessage("Look"), reloaded, toolResult("c1", "calm")])));
  expect(hand.calls[1]?.["prompt"]).toMatchObject([
    { role: "user" },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm", providerOptions: metadata },
        { type: "reasoning", text: "", providerOptions: metadata },
        { type: "text", text: "Look", providerOptions: metadata },
        { type: "tool-call", toolCallId: "c1", providerOptions: metadata },
      ],
    },
    { role: "tool" },
  ]);
});

test("what another provider made goes without thoughts and signatures, under ids that all accept", async () => {
  const signature = JSON.stringify({ other: { signature: "s" } });
  const foreign = assistantMessage([
    { type: "thinking", thinking: "Hm", signature },
    { type: "text", text: "Look", signature },
    { ...call, id: "call:1|x", signature },
  ]);
  expect(await promptFor([userMessage("Look"), foreign, toolResult("call:1|x", "calm")])).toMatchObject([
    { role: "user" },
    {
      role: "assistant",
      content: [
        { type: "text", text: "Look" },
        { type: "tool-call", toolCallId: "call_1_x" },
      ],
    },
    { role: "tool", content: [{ toolCallId: "call_1_x", output: { value: "calm" } }] },
  ]);
});

test.each(["error", "aborted"] as const)(
  "of an answer that ended as %s only the text goes back",
  async (stopReason) => {
    const signature = JSON.stringify({ hand: { id: "m1" } });
    const content = [
      { type: "thinking", thinking: "Hm", signature },
      { type: "text", text: "Loo", signature },
      { type: "text", text: " " },
      call,
    ] as const;
    const broken = assistantMessage(content, { provider, stopReason });
    expect(await promptFor([userMessage("Look"), broken, userMessage("Again")])).toEqual([
      { role: "user", content: [{ type: "text", text: "Look" }] },
      { role: "assistant", content: [{ type: "text", text: "Loo" }] },
      { role: "user", content: [{ type: "text", text: "Again" }] },
    ]);
  },
);

test("ids are unique over the whole history, and names are such as all accept", async () => {
  const odd = { ...call, id: "c1", name: "look at/it" };
  const prompt = await promptFor([
    userMessage("Look"),
    assistantMessage([call], { provider }),
    toolResult("c1", "one"),
    assistantMessage([odd], { provider }),
    toolResult("c1", "two"),
  ]);
  expect(prompt).toMatchObject([
    {},
    { content: [{ toolCallId: "c1", toolName: "look" }] },
    { content: [{ toolCallId: "c1", output: { value: "one" } }] },
    { content: [{ toolCallId: "c1_2", toolName: "look_at_it" }] },
    { content: [{ toolCallId: "c1_2", toolName: "look_at_it", output: { value: "two" } }] },
  ]);
});

test("nothing empty is sent, thoughts are never last, and messages of a role are one", async () => {
  const paused = assistantMessage([{ type: "text", text: "One" }], { provider, stopReason: "pause" });
  const thought = assistantMessage(
    [
      { type: "text", text: "Two" },
      { type: "thinking", thinking: "Hm" },
    ],
    { provider },
  );
  const nothing = assistantMessage([{ type: "text", text: "" }], { provider });
  expect(await promptFor([userMessage(" "), paused, thought, userMessage("A"), nothing, userMessage("B")])).toEqual([
    { role: "user", content: [{ type: "text", text: "(empty)" }] },
    {
      role: "assistant",
      content: [
        { type: "text", text: "One" },
        { type: "text", text: "Two" },
      ],
    },
    {
      role: "user",
      content: [
        { type: "text", text: "A" },
        { type: "text", text: "B" },
      ],
    },
  ]);
});

test("unpaired surrogates are fixed", async () => {
  const half = "\ud83d";
  const messages = [
    userMessage(`a${half}`),
    assistantMessage([{ ...call, arguments: { at: half } }], { provider }),
    toolResult("c1", half),
  ];
  expect(JSON.stringify((await callFor(modelRequest(messages, { system: half })))["prompt"])).not.toContain("\\ud");
});

test("a longer history begins with the same prompt", async () => {
  const messages = [
    userMessage("Look"),
    assistantMessage([{ type: "text", text: "Yes" }, call], { provider }),
    toolResult("c1", "calm"),
    assistantMessage([{ type: "text", text: "Calm" }], { provider }),
    userMessage("Again"),
  ];
  const long = JSON.stringify(await promptFor(messages));
  const short = JSON.stringify(await promptFor(messages.slice(0, 3)));
  expect(long.startsWith(short.slice(0, -1))).toBe(true);
});

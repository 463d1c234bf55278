import { expect, test } from "bun:test";
import type { AssistantMessage, Message, ModelRequest } from "@mdx-ai/models";
import { estimateTokens, IMAGE_TOKENS } from "@mdx-ai/models/tokens";
import { conversationOf, exchange, toolTurn, words } from "../../../../test/support/conversation.ts";
import { assistantMessage, toolSchema, userMessage } from "../../../../test/support/model-request.ts";
import { type MeterOptions, RequestMeter } from "./request-meter.ts";

const meterOf = (messages: Message[], rest: Partial<MeterOptions> = {}): RequestMeter =>
  new RequestMeter({ system: "", tools: [], policy: {}, conversation: conversationOf(...messages), ...rest });

function counted(counts: Partial<AssistantMessage["usage"]>, rest: Partial<AssistantMessage> = {}): AssistantMessage {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = counts;
  const total = input + output + cacheRead + cacheWrite;
  const usage = { input, output, cacheRead, cacheWrite, thinking: 0, total };
  return assistantMessage([{ type: "text", text: "ok" }], { usage, ...rest });
}

test("where the provider counted, its count of the last request and answer is what is known", async () => {
  const answer = counted({ input: 100, cacheRead: 2000, cacheWrite: 300, output: 40 });
  expect(await meterOf([userMessage("x"), answer]).size()).toEqual({ tokens: 2440, measured: "provider" });
});

test("what came after the last count is estimated on top of it", async () => {
  const text = words(500);
  const meter = meterOf([userMessage("x"), counted({ input: 1000, output: 10 }), userMessage(text)]);
  const { tokens, measured } = await meter.size();
  expect(measured).toBe("provider");
  expect(tokens - 1010 - estimateTokens(text)).toBeWithin(0, 20);
});

test("where nothing was counted, system prompt, tools, messages, calls and images are estimated", async () => {
  const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
  const head: Pick<ModelRequest, "system" | "tools"> = { system: words(300), tools: [toolSchema("t", words(200))] };
  const user: Message = { role: "user", content: [image], timestamp: 0 };
  const messages = [user, ...toolTurn("a", words(400), { path: words(100) })];
  const { tokens, measured } = await meterOf(messages, head).size();
  expect(measured).toBe("estimate");
  expect(tokens - IMAGE_TOKENS).toBeWithin(950, 1250);
});

test.each<[string, Message[]]>([
  ["broke off", [userMessage("x"), counted({ input: 9000 }, { stopReason: "error" })]],
  ["was aborted", [userMessage("x"), counted({ input: 9000 }, { stopReason: "aborted" })]],
  ["came without a count", [userMessage("x"), counted({ output: 9000 })]],
])("the count of an answer that %s is not believed", async (_name, messages) => {
  const { tokens, measured } = await meterOf(messages).size();
  expect(measured).toBe("estimate");
  expect(tokens).toBeLessThan(100);
});

test("a count from before a summary, or of a window that began elsewhere, is not believed", async () => {
  const messages = [userMessage("x"), counted({ input: 9000 }), userMessage("y")];
  const answer = assistantMessage([{ type: "text", text: "s" }]);
  const compaction = {
    summary: "s",
    kept: [],
    message: userMessage("summary"),
    replaced: 1,
    made: 2,
    before: 9,
    after: 1,
    measured: "estimate" as const,
    answer,
    timestamp: 0,
  };
  expect((await meterOf(messages, { conversation: { first: 0, messages, compaction } }).size()).measured).toBe(
    "estimate",
  );
  expect((await meterOf(messages, { policy: { messages: 1 } }).size()).measured).toBe("estimate");
  expect((await meterOf(messages, { policy: { messages: 3 } }).size()).measured).toBe("provider");
  const later = [...messages, counted({ input: 50 })];
  const { tokens, measured } = await meterOf(later, { conversation: { first: 0, messages: later, compaction } }).size();
  expect([tokens, measured]).toEqual([50, "provider"]);
});

test("thinking counts where it goes back to the provider, and not where it does not", async () => {
  const usage = { input: 100, output: 1000, cacheRead: 0, cacheWrite: 0, thinking: 900, total: 1100 };
  const signed = { type: "thinking", thinking: "t", signature: "s" } as const;
  const text = { type: "text", text: "ok" } as const;
  const sizes = [[signed, text], [text]].map((content) =>
    meterOf([userMessage("x"), assistantMessage(content, { usage })]).size(),
  );
  expect((await Promise.all(sizes)).map(({ tokens }) => tokens)).toEqual([1100, 200]);
});

test.each([
  ["words", words(2000)],
  ["Chinese", "今天天气很好".repeat(300)],
  ["emoji", "👨‍👩‍👧🎉".repeat(300)],
  ["signs", "[}{]~^".repeat(300)],
  ["digits", "9".repeat(1000)],
])(
  "a request that surely fits needs no estimate, and one that may not is never passed over: %s",
  async (_name, text) => {
    for (const messages of [exchange(text, text), [userMessage("x"), counted({ input: 10 }), userMessage(text)]]) {
      const meter = meterOf(messages);
      const { tokens } = await meter.size();
      expect(meter.mayExceed(tokens - 1)).toBe(true);
      expect(meter.mayExceed(tokens * 40)).toBe(false);
    }
  },
);

test("a meter keeps up with a conversation that grows, is cleared and is summarised", async () => {
  const conversation = conversationOf();
  const meter = new RequestMeter({ system: words(50), tools: [], policy: {}, conversation });
  const fresh = (): RequestMeter => new RequestMeter({ system: words(50), tools: [], policy: {}, conversation });
  for (let turn = 0; turn < 5; turn++) {
    conversation.messages.push(...exchange(words(30 * turn, "q"), words(20, "a")));
    expect(await meter.size()).toEqual(await fresh().size());
    expect([meter.mayExceed(400), meter.mayExceed(900)]).toEqual([fresh().mayExceed(400), fresh().mayExceed(900)]);
  }
  conversation.messages.length = 0;
  expect(await meter.size()).toEqual(await fresh().size());
  conversation.messages.push(...exchange("new", "too"));
  expect(await meter.size()).toEqual(await fresh().size());
});

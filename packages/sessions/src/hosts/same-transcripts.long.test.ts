import { expect, test } from "bun:test";
import type { AgentTool, ToolResult } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import fc from "fast-check";
import { conversationOf } from "../../../../test/support/conversation.ts";
import { runLoop } from "../../../../test/support/loop-run.ts";
import { randomCases } from "../../../../test/support/random-cases.ts";
import { transcriptProblems } from "../../../../test/support/transcript-problems.ts";
import { type Wire, type WirePart, type WireReply, wireServer } from "../../../../test/support/wire-server.ts";
import { forgetfulJournal } from "../journal/journal.ts";

const CASES = randomCases(150);

const text = fc.constantFrom<WirePart>({ text: ["Hä", "llo 🌍"] }, { text: ["Again\u2028"] }, { text: [] });
const thinking = fc
  .record({ thinking: fc.constantFrom([], ["I ", "think"]), signature: fc.string({ unit: "grapheme", minLength: 1 }) })
  .map((part): WirePart => part);
const call = fc
  .record({
    id: fc.constantFrom("call_1", "call_2", "odd id", "x".repeat(70)),
    name: fc.constantFrom("effect", "effect", "draw", "smudge", "failing", "no_such_tool", "odd.name"),
    json: fc.constantFrom<string[]>(['{"num', 'ber": 1}'], ["{}"], [], ['{"number": '], ["[1]"]),
  })
  .map((part): WirePart => part);

const answer = fc.record({
  parts: fc.array(fc.oneof(text, thinking, call), { maxLength: 6 }),
  stop: fc.option(fc.constantFrom("length", "content_filter"), { nil: undefined, freq: 8 }),
  /** Whether it breaks off before its end. */
  isCut: fc.oneof({ weight: 7, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  chunk: fc.constantFrom(300, 100_000, 100_000),
});
const failure = fc.record({ status: fc.constantFrom(400, 401, 429, 500, 503) });

const script = fc.array(fc.oneof({ weight: 6, arbitrary: answer }, { weight: 1, arbitrary: failure }), {
  minLength: 1,
  maxLength: 9,
});

type Script = typeof script extends fc.Arbitrary<infer Value> ? Value : never;

/** An answer that is cut arrives up to its last part, whatever its protocol makes of that. */
const replyOf = (one: Script[number]): WireReply => {
  if ("status" in one) return one;
  const { isCut, stop, ...rest } = one;
  return { ...rest, ...(stop !== undefined && { stop }), ...(isCut && { cutAfter: 1 }) };
};

const parameters = { type: "object", properties: { number: { type: "integer" } } };
const tool = (name: string, run: () => string | ToolResult): AgentTool => ({
  ...{ name, description: `Does ${name}`, parameters },
  execute: async () => run(),
});
const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
const tools: readonly AgentTool[] = [
  tool("effect", () => "done"),
  tool("draw", () => ({ content: [image] })),
  tool("smudge", () => ({ content: [image], isError: true })),
  tool("failing", () => {
    throw new Error("failed");
  }),
];

interface Played {
  readonly messages: readonly Message[];
  readonly refusals: readonly string[];
  readonly requests: number;
  /** Pieces of thinking that requests brought back. */
  readonly sent: number;
}

/** Runs two prompts in one conversation. */
async function play(wire: Wire, replies: Script): Promise<Played> {
  using server = wireServer(wire, ...replies.map(replyOf));
  const models = [await server.open()];
  const conversation = conversationOf();
  for (const prompt of [1, 2]) {
    const plan = { retries: [0], limits: { turns: 5 } };
    const journal = { journal: forgetfulJournal, prompt, journaled: [], conversation };
    await runLoop({ models, tools, plan, emit() {} }, journal);
  }
  const refusals = server.requests.flatMap(({ refusal }) => refusal ?? []);
  const sent = server.requests.flatMap(({ text }) => text.match(/"type":"reasoning"/g) ?? []).length;
  return { messages: conversation.messages, refusals, requests: server.requests.length, sent };
}

type Block = Message["content"][number];

/** What a transcript says, whichever protocol it came over: they divide texts otherwise, and one has no thinking. */
const told = (messages: readonly Message[]): unknown =>
  messages.map((message) => ({
    role: message.role,
    content: message.content.reduce(joined, []),
    ...("stopReason" in message && { stopReason: message.stopReason, failure: message.failure }),
    ...("isError" in message && { toolCallId: message.toolCallId, isError: message.isError }),
  }));

function joined(blocks: readonly Block[], block: Block): readonly Block[] {
  const last = blocks.at(-1);
  if (block.type === "thinking") return blocks;
  if (block.type !== "text") return [...blocks, block];
  if (last?.type !== "text") return [...blocks, { type: "text", text: block.text }];
  return [...blocks.slice(0, -1), { type: "text", text: last.text + block.text }];
}

test(
  `random scripts give the same transcript over chat completions and over responses, by valid requests alone`,
  async () => {
    let thoughts = 0;
    const property = fc.asyncProperty(script, async (replies) => {
      const chat = await play("openai", replies);
      const responses = await play("responses", replies);
      expect([...chat.refusals, ...responses.refusals]).toStrictEqual([]);
      expect(told(responses.messages)).toStrictEqual(told(chat.messages));
      expect(responses.requests).toBe(chat.requests);
      expect(transcriptProblems(responses.messages)).toStrictEqual([]);
      thoughts += responses.sent;
    });
    await fc.assert(property, CASES);
    // The server takes back only what it sent, to the byte.
    expect(thoughts).toBeGreaterThan(CASES.numRuns / 10);
  },
  60_000 + CASES.numRuns * 500,
);

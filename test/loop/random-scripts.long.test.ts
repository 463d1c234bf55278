import { expect, test } from "bun:test";
import type { AgentEvent, AgentTool } from "@mdx-ai/loop";
import type { LanguageModel, Message } from "@mdx-ai/models";
import { openStoredSession } from "@mdx-ai/sessions";
import fc from "fast-check";
import { eventOrderProblem } from "../support/event-order.ts";
import { runLoop } from "../support/loop-run.ts";
import { randomCases } from "../support/random-cases.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { type WirePart, type WireReply, wireServer, wires } from "../support/wire-server.ts";

const CASES = randomCases(60);

/** The calls that a prompt may make. */
const TOOL_CALLS = 3;

/** What one answer of the model consists of. A call's number makes its effect one of a kind. */
type Part =
  | "text"
  | "empty text"
  | "thinking"
  | "effect"
  | "failing"
  | "failing with an image"
  | "unknown tool"
  | "bad arguments"
  | "no input";

interface Answer {
  readonly parts: readonly Part[];
  readonly stopReason: string | undefined;
  /** Events of the stream that arrive before it ends without its end marker; undefined: all. */
  readonly cutAfter: number | undefined;
  /** Bytes of one write. */
  readonly chunk: number;
  /** Whether calls of the answer have one id. */
  readonly sameIds: boolean;
}

type Script = readonly (Answer | { readonly status: number; readonly retryAfter: string | undefined })[];

const part = fc.constantFrom<Part>(
  "text",
  "empty text",
  "thinking",
  "effect",
  "failing",
  "failing with an image",
  "unknown tool",
  "bad arguments",
  "no input",
);

const answer = fc.record({
  parts: fc.array(part, { maxLength: 5 }),
  stopReason: fc.option(
    fc.constantFrom(
      "max_tokens",
      "stop_sequence",
      "pause_turn",
      "refusal",
      "model_context_window_exceeded",
      "length",
      "content_filter",
      "something_new",
    ),
    { nil: undefined, freq: 2 },
  ),
  cutAfter: fc.option(fc.nat({ max: 12 }), { nil: undefined, freq: 3 }),
  chunk: fc.constantFrom(7, 64, 100_000),
  sameIds: fc.boolean(),
});

const failure = fc.record({
  status: fc.constantFrom(400, 401, 404, 408, 409, 413, 429, 500, 503, 529),
  retryAfter: fc.option(fc.constantFrom("0", "0.001", "Thu, 01 Jan 1970 00:00:00 GMT", "rubbish"), { nil: undefined }),
});

const script: fc.Arbitrary<Script> = fc.array(
  fc.oneof({ weight: 5, arbitrary: answer }, { weight: 1, arbitrary: failure }),
  {
    minLength: 1,
    maxLength: 9,
  },
);

let callCount = 0;

function partOf(one: Part, sameIds: boolean): WirePart {
  const number = ++callCount;
  const id = sameIds ? "toolu_same" : `toolu_${number}`;
  switch (one) {
    case "text":
      return { text: ["Hä", "llo 🌍"] };
    case "empty text":
      return { text: [] };
    case "thinking":
      return { thinking: ["I ", "think"], signature: `sig+/${number}=` };
    case "effect":
    case "failing":
      return { id, name: one, json: ['{"num', `ber": ${number}}`] };
    case "failing with an image":
      return { id, name: "draw", json: ["{}"] };
    case "unknown tool":
      return { id, name: "no_such_tool", json: ["{}"] };
    case "bad arguments":
      return { id, name: "effect", json: ['{"number": '] };
    case "no input":
      return { id, name: "look", json: [] };
  }
}

function replyOf(one: Script[number]): WireReply {
  if ("status" in one) {
    const { status, retryAfter } = one;
    return { status, ...(retryAfter !== undefined && { headers: { "retry-after": retryAfter } }) };
  }
  const { parts, stopReason, cutAfter, chunk, sameIds } = one;
  const stop = stopReason === undefined ? {} : { stop: stopReason };
  return { parts: parts.map((each) => partOf(each, sameIds)), ...stop, cutAfter, chunk };
}

/** Tools that write down what they did. */
function toolsOf(effects: number[]): readonly AgentTool[] {
  const number = { type: "object", properties: { number: { type: "integer" } }, required: ["number"] };
  return [
    {
      name: "effect",
      description: "Has an effect",
      parameters: number,
      async execute({ number: done }) {
        effects.push(Number(done));
        await Promise.resolve();
        return `did ${done}`;
      },
    },
    {
      name: "failing",
      description: "Has an effect and fails",
      parameters: number,
      async execute({ number: done }) {
        effects.push(Number(done));
        throw new Error(`failed after ${done}`);
      },
    },
    {
      name: "draw",
      description: "Draws half and fails",
      parameters: { type: "object" },
      execute: async () => ({ content: [{ type: "image", data: "aGk=", mimeType: "image/png" }], isError: true }),
    },
    { name: "look", description: "Looks", parameters: { type: "object" }, readOnly: true, execute: async () => "" },
  ];
}

/** Answers whose calls must not run: they broke off, or ended before the model was done. */
const UNFINISHED: readonly string[] = ["error", "aborted", "length", "refusal", "contextExceeded"];

/** The calls of the transcript that want an answer, in their order. */
const callsToRun = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) => {
    if (message.role !== "assistant" || message.stopReason === "error" || message.stopReason === "aborted") return [];
    return message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
  });

/** The calls that have one. */
const answeredCalls = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : []));

/** The effects of which results tell; none may come of an answer that was not finished. */
function effectsTold(messages: readonly Message[]): readonly number[] {
  let isFinished = false;
  return messages.flatMap((message) => {
    if (message.role === "assistant") isFinished = !UNFINISHED.includes(message.stopReason);
    if (message.role !== "toolResult" || !isFinished) return [];
    const told = /^(?:did|failed after) (\d+)$/.exec(contentText(message.content));
    return told?.[1] === undefined ? [] : [Number(told[1])];
  });
}

/** The messages of each prompt. */
function promptsOf(messages: readonly Message[]): readonly (readonly Message[])[] {
  const starts = messages.flatMap(({ role }, place) => (role === "user" ? [place] : []));
  return starts.map((start, number) => messages.slice(start, starts[number + 1]));
}

const contentText = (content: readonly { readonly type: string; readonly text?: string }[]): string =>
  content.map(({ text }) => text ?? "").join("");

const byValue = (one: number, other: number): number => one - other;

const isAnswer = (event: AgentEvent): boolean => event.type === "message_end" && event.message.role === "assistant";

interface Played {
  readonly events: readonly AgentEvent[];
  readonly effects: readonly number[];
  readonly messages: readonly Message[];
  readonly reloaded: readonly Message[];
}

/** Works off two prompts of one session, which is opened anew for each. */
async function play(models: readonly LanguageModel[]): Promise<Played> {
  using directory = temporaryDirectory();
  const options = { directory: directory.path, id: "main", clock: Date, onWarning() {} };
  const effects: number[] = [];
  const events: AgentEvent[] = [];
  let messages: readonly Message[] = [];
  for (let prompt = 0; prompt < 2; prompt++) {
    const session = openStoredSession(options);
    const plan = { retries: [0, 0], limits: { turns: 6, toolCalls: TOOL_CALLS } };
    await session.runPrompt((journal) =>
      runLoop({ models, tools: toolsOf(effects), plan, emit: (event) => events.push(event) }, journal),
    );
    messages = [...session.messages];
    session.close();
  }
  const again = openStoredSession(options);
  const reloaded = [...again.messages];
  again.close();
  return { events, effects, messages, reloaded };
}

test.each(wires)(
  `random turns, tools, errors and cuts over %s: every request is valid, nothing runs twice, always an end`,
  async (wire) => {
    const property = fc.asyncProperty(script, fc.boolean(), async (replies, hasFallback) => {
      using server = wireServer(wire, ...replies.map(replyOf));
      // One of OpenAI's models of that name does not think.
      const names = hasFallback ? ["one", "4.1-two"] : ["one"];
      const { events, effects, messages, reloaded } = await play(
        await Promise.all(names.map((name) => server.open(name))),
      );
      const refusals = server.requests.flatMap(({ refusal }) => refusal ?? []);
      expect(refusals).toEqual([]);
      expect(effects).toEqual([...new Set(effects)]);
      expect(events.filter(({ type }) => type === "agent_end")).toHaveLength(2);
      expect(eventOrderProblem(events)).toBeUndefined();
      const questions = server.requests.filter(({ text }) => text.includes('"tools"'));
      expect(events.filter(isAnswer)).toHaveLength(questions.length);
      expect(promptsOf(messages).every((prompt) => effectsTold(prompt).length <= TOOL_CALLS)).toBe(true);
      expect(callsToRun(messages)).toEqual(answeredCalls(messages));
      expect(effects.toSorted(byValue)).toEqual(effectsTold(messages).toSorted(byValue));
      expect(reloaded).toEqual([...messages]);
    });
    await fc.assert(property, CASES);
  },
  60_000 + CASES.numRuns * 500,
);

import fc from "fast-check";
import type { LiveSession } from "./live-recording.ts";
import type { Reply } from "./replies.ts";

/** Weighs against what is drawn beside it. */
const NONE = Array.from({ length: 8 }, () => undefined);

const call = fc.record({
  name: fc.constantFrom("wait", "wait", "fail", "look", "steer", "stop", "odd_name", "missing"),
  ticks: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant("many")),
  hasId: fc.boolean(),
});

const answer = fc.record({
  text: fc.option(fc.constantFrom("", "Hällo 🌍", "long ".repeat(200)), { nil: undefined }),
  thinking: fc.option(fc.constant("I think"), { nil: undefined, freq: 4 }),
  calls: fc.array(call, { maxLength: 5 }),
  stopReason: fc.constantFrom(...NONE, "length", "pause", "refusal", "contextExceeded", "contextExceeded"),
  usage: fc.constantFrom({ input: 100, output: 10 }, { input: 2000, output: 10 }),
});

const failure = fc.record({
  text: fc.constant("half an answer"),
  error: fc.record({
    message: fc.constant("it failed"),
    status: fc.constantFrom(400, 401, 429, 500, 529),
    after: fc.option(fc.constantFrom(0, 1), { nil: undefined }),
  }),
});

const script = fc.array(fc.oneof({ weight: 4, arbitrary: answer }, { weight: 1, arbitrary: failure }), {
  minLength: 1,
  maxLength: 10,
});

const plan = fc.record({
  scripts: fc.array(script, { minLength: 1, maxLength: 3 }),
  prompts: fc.integer({ min: 1, max: 3 }),
  toolCalls: fc.option(fc.nat({ max: 6 }), { nil: undefined }),
  turns: fc.constantFrom(1, 3, 6),
  usd: fc.constantFrom(undefined, undefined, undefined, 0, 0.5, 1),
  window: fc.option(fc.constantFrom(400, 900), { nil: undefined }),
});

type Drawn = typeof script extends fc.Arbitrary<infer Value> ? Value : never;

const replyOf = (drawn: Drawn[number]): Reply => {
  if (!("calls" in drawn)) {
    const { after, ...error } = drawn.error;
    return { text: drawn.text, error: { ...error, ...(after !== undefined && { after }) } };
  }
  const { text = drawn.calls.length === 0 ? "" : undefined, thinking, calls, stopReason, usage } = drawn;
  return {
    ...(text !== undefined && { text }),
    ...(thinking !== undefined && { thinking }),
    ...(stopReason !== undefined && { stopReason }),
    usage,
    calls: calls.map(({ name, ticks, hasId }, place) => ({
      id: hasId ? `call_${place}` : "same",
      name,
      arguments: { ticks },
    })),
  };
};

/** Sessions of one to three prompts with retries, other models, summaries, limits, steering and parallel tools. */
export const randomSession: fc.Arbitrary<LiveSession> = plan.map(
  ({ scripts, prompts, toolCalls, turns, usd, window }) => ({
    scripts: scripts.map((replies) => replies.map(replyOf)),
    inputs: Array.from({ length: prompts }, (_, place) => `${place} ${"question ".repeat(60)}`),
    run: {
      plan: {
        limits: { turns, ...(toolCalls !== undefined && { toolCalls }), ...(usd !== undefined && { usd }) },
        context: window === undefined ? {} : { window, compactAt: 0.8 },
      },
    },
  }),
);

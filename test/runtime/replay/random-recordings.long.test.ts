import { expect, test } from "bun:test";
import type { AgentEvent } from "@mdx-ai/loop";
import { ReplayError } from "@mdx-ai/sessions";
import fc from "fast-check";
import { eventOrderProblem } from "../../support/event-order.ts";
import { lastingEvents, playAll, recordLive } from "../../support/live-recording.ts";
import { randomCases } from "../../support/random-cases.ts";
import { randomSession } from "../../support/random-session.ts";

const CASES = randomCases(50);

/** The blocks of each answer, in order, as updates tell them. */
const blocks = (events: readonly AgentEvent[]): readonly unknown[] =>
  events.flatMap((event) => {
    if (event.type !== "message_update") return [];
    const { assistantMessageEvent: update } = event;
    return [{ type: update.type, block: update.partial.content[update.contentIndex] }];
  });

const END_OF_BLOCK = { text: "text_end", thinking: "thinking_end", toolCall: "toolcall_end" } as const;

const recordedBlocks = (events: readonly AgentEvent[]): readonly unknown[] =>
  events.flatMap((event) =>
    event.type === "message_end" && event.message.role === "assistant"
      ? event.message.content.map((block) => ({ type: END_OF_BLOCK[block.type], block }))
      : [],
  );

test(
  `random sessions with retries, other models, summaries, limits, steering and parallel tools give the same events again`,
  async () => {
    const property = fc.asyncProperty(randomSession, async (session) => {
      const { events, lines } = await recordLive(session);
      const played = await playAll(lines);
      expect(played.map(lastingEvents)).toStrictEqual(JSON.parse(JSON.stringify(events.map(lastingEvents))));
      expect(blocks(played.flat())).toStrictEqual(recordedBlocks(played.flat()));
      expect(eventOrderProblem(played.flat())).toBeUndefined();
    });
    await fc.assert(property, CASES);
  },
  60_000 + CASES.numRuns * 500,
);

/** What becomes of the lines of a journal. */
const damage = fc.array(
  fc.record({ kind: fc.constantFrom("drop", "repeat", "move", "move", "cut"), at: fc.nat(), to: fc.nat() }),
  { minLength: 1, maxLength: 6 },
);

function damaged<Line>(
  lines: readonly Line[],
  wounds: typeof damage extends fc.Arbitrary<infer Value> ? Value : never,
): readonly Line[] {
  const left = [...lines];
  for (const { kind, at, to } of wounds) {
    const [one, other] = [at % Math.max(1, left.length), to % Math.max(1, left.length)];
    if (kind === "drop") left.splice(one, 1);
    if (kind === "repeat") left.splice(other, 0, ...left.slice(one, one + 1));
    if (kind === "move") left.splice(other, 0, ...left.splice(one, 1));
    if (kind === "cut") left.splice(one);
  }
  return left;
}

test(
  `a replay of random lines ends, with events or with a ReplayError`,
  async () => {
    const property = fc.asyncProperty(randomSession, damage, async (session, wounds) => {
      const { lines } = await recordLive(session);
      const outcome = await playAll(damaged(lines, wounds)).catch((error: unknown) => error);
      expect(Array.isArray(outcome) || outcome instanceof ReplayError).toBe(true);
    });
    await fc.assert(property, CASES);
  },
  60_000 + CASES.numRuns * 500,
);

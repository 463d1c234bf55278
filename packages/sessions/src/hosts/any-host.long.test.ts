import { expect, test } from "bun:test";
import fc from "fast-check";
import { eventOrderProblem } from "../../../../test/support/event-order.ts";
import { byPosition, completed, flushed, plain, replayed } from "../../../../test/support/golden-hosts.ts";
import { randomCases } from "../../../../test/support/random-cases.ts";
import { randomPrompt } from "../../../../test/support/random-prompt.ts";
import { transcriptProblems } from "../../../../test/support/transcript-problems.ts";

const CASES = randomCases(100);

test(
  `a prompt gives the same transcript, effects and event ids on the reference host, on files and in a replay`,
  async () => {
    const property = fc.asyncProperty(randomPrompt, async (prompt) => {
      const local = await flushed(prompt);
      const positional = await byPosition(prompt, { order: completed(local.lines) });
      expect(plain(positional.events)).toStrictEqual(plain(local.events));
      expect([...positional.effects].sort()).toStrictEqual([...local.effects].sort());
      expect(new Set(local.effects).size).toBe(local.effects.length);
      expect(eventOrderProblem(local.events)).toBeUndefined();
      expect(plain(await replayed(local.lines))).toStrictEqual(plain(local.events));
    });
    await fc.assert(property, CASES);
  },
  60_000 + CASES.numRuns * 500,
);

test(
  `a host that is killed at random moments, with all that runs, does nothing twice and ends whole`,
  async () => {
    let kills = 0;
    const property = fc.asyncProperty(
      randomPrompt,
      fc.array(fc.nat({ max: 40 }), { maxLength: 6 }),
      async (prompt, moments) => {
        const {
          events,
          effects,
          transcript,
          kills: killed,
        } = await byPosition(prompt, {
          isKilled: (completions) => moments.includes(completions),
        });
        kills += killed;
        const once = effects.filter((effect) => !effect.startsWith("look "));
        expect(new Set(once).size).toBe(once.length);
        expect(eventOrderProblem(events)).toBeUndefined();
        expect(events.at(-1)?.type).toBe("agent_end");
        expect(transcriptProblems(transcript)).toStrictEqual([]);
      },
    );
    await fc.assert(property, CASES);
    expect(kills).toBeGreaterThan(CASES.numRuns / 10);
  },
  60_000 + CASES.numRuns * 500,
);

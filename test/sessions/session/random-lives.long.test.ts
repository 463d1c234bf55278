import { expect, test } from "bun:test";
import fc from "fast-check";
import { randomCases } from "../../support/random-cases.ts";
import { type LifePlan, randomLife } from "../../support/random-life.ts";
import { openLife } from "../../support/session-life.ts";

const CASES = randomCases(60);

test(
  `random lives of sessions: nothing is lost, said twice or done twice, and disk and memory say the same`,
  async () => {
    const property = fc.asyncProperty(randomLife, async ({ events, ...plan }: LifePlan) => {
      using life = await openLife(plan);
      for (const event of events) {
        await life.live(event);
        expect(life.complaints()).toStrictEqual([]);
      }
    });
    await fc.assert(property, CASES);
  },
  60_000 + CASES.numRuns * 500,
);

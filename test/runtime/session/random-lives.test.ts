import { expect, test } from "bun:test";
import fc from "fast-check";
import { type LifePlan, randomLife } from "../../support/random-life.ts";
import { openLife } from "../../support/session-life.ts";

const SEED = Number(process.env["PROPERTY_SEED"] ?? 20_261_122);
const RUNS = Number(process.env["PROPERTY_RUNS"] ?? 60);

test(
  `random lives of sessions: nothing is lost, said twice or done twice, and disk and memory say the same (seed ${SEED}, ${RUNS} runs)`,
  async () => {
    const property = fc.asyncProperty(randomLife, async ({ events, ...plan }: LifePlan) => {
      using life = await openLife(plan);
      for (const event of events) {
        await life.live(event);
        expect(life.complaints()).toStrictEqual([]);
      }
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
  },
  60_000 + RUNS * 500,
);

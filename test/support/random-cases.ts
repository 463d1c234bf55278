/**
 * How `fc.assert` draws the cases of a property: the same ones in each run, so that a change is to blame when a test fails.
 * `PROPERTY_SEED=N` draws others, `PROPERTY_SEED=new` others each time (a failure names its seed), and `PROPERTY_RUNS=N` at
 * least N.
 */
export function randomCases(runs = 100): { readonly seed: number; readonly numRuns: number } {
  const { PROPERTY_SEED = "20261125", PROPERTY_RUNS = "0" } = process.env;
  const seed = PROPERTY_SEED === "new" ? Math.floor(Math.random() * 2 ** 31) : Number(PROPERTY_SEED);
  return { seed, numRuns: Math.max(runs, Number(PROPERTY_RUNS)) };
}

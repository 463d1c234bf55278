import type { Comparison, ComparisonOptions } from "./comparison.ts";

/**
 * Opens another model for a recorded session. Calls that are the same as recorded ones get the recorded results. Rejects as
 * `openAgent` does, and with `ReplayError` where the prose of the agent holds code that nobody may run.
 */
export async function openComparison(options: ComparisonOptions): Promise<Comparison> {
  const { modelComparison } = await import("./model-comparison.ts");
  return modelComparison(options);
}

export { type PreparedTests, prepareTests, type TestRequest } from "./prepare-tests.ts";
export { changeText, differenceLines } from "./recording-cases.ts";
export type { TestCase } from "./run-cases.ts";
export { countOutcomes, type OutcomeCounts, runCases, type TestOutcome } from "./run-cases.ts";
export { type DifferenceLine, textDifference } from "./text-difference.ts";

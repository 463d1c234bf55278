export { changeText, differenceLines } from "../comparing/recording-differences.ts";
export { type DifferenceLine, textDifference } from "../comparing/text-difference.ts";
export { type PreparedTests, prepareTests, type TestRequest } from "./prepare-tests.ts";
export type { TestCase } from "./run-cases.ts";
export { countOutcomes, type OutcomeCounts, runCases, type TestOutcome } from "./run-cases.ts";

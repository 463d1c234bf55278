import type { TestOutcome } from "@mdx-ai/directory/testing";
import { countOutcomes } from "@mdx-ai/directory/testing";

/** The outcomes for programs; see docs/testing.md. */
export function testReport(path: string, outcomes: readonly TestOutcome[], milliseconds: number): object {
  return {
    version: 1,
    path,
    ...countOutcomes(outcomes),
    milliseconds: Math.round(milliseconds),
    tests: outcomes.map(testEntry),
  };
}

function testEntry({ test: { subject, name, place }, status, failure, milliseconds }: TestOutcome): object {
  const lines = failure?.lines.map(({ mark, text }) => `${mark} ${text}`);
  return {
    subject,
    name,
    ...place,
    status,
    milliseconds: Math.round(milliseconds),
    ...(failure === undefined ? {} : { message: failure.message, lines }),
  };
}

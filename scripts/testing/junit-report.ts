/** The test counts of a JUnit report of `bun test`. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** Names of skipped and todo tests, as in the report. */
  readonly skipped: readonly string[];
}

/** Counts the tests of a report. Throws if the text is not a report. */
export function countTests(report: string): TestCounts {
  const root = /<testsuites [^>]*>/.exec(report)?.[0];
  if (root === undefined) throw new Error("The test report has no <testsuites>.");
  const failed = attribute(root, "failures");
  const skipped = [...report.matchAll(/<testcase name="([^"]*)"[^>]*>\s*<skipped/g)].map((match) => match[1] ?? "");
  return { passed: attribute(root, "tests") - failed - skipped.length, failed, skipped };
}

/** The sum of several counts. */
export const sumOf = (all: readonly TestCounts[]): TestCounts => ({
  passed: all.reduce((sum, { passed }) => sum + passed, 0),
  failed: all.reduce((sum, { failed }) => sum + failed, 0),
  skipped: all.flatMap(({ skipped }) => skipped),
});

function attribute(tag: string, name: string): number {
  const value = new RegExp(` ${name}="(\\d+)"`).exec(tag)?.[1];
  if (value === undefined) throw new Error(`The test report does not tell its ${name}.`);
  return Number(value);
}

/** The test counts of a JUnit report of `bun test`. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** Names of skipped and todo tests. */
  readonly skipped: readonly string[];
  /** The failed tests that the report names: `FILE:LINE GROUP > NAME`, and the message, indented. */
  readonly failures: readonly string[];
}

const NAMED_CHARACTERS: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Lines that are kept of the message of a failure. */
const MAX_LINES = 30;

/** Counts the tests of a report. Throws if the text is not a report. */
export function countTests(report: string): TestCounts {
  const root = /<testsuites [^>]*>/.exec(report)?.[0];
  if (root === undefined) throw new Error("The test report has no <testsuites>.");
  const failed = count(root, "failures");
  const skipped = [...report.matchAll(/(<testcase [^>]*>)\s*<skipped/g)].map(([, test = ""]) =>
    attribute(test, "name"),
  );
  const failures = [...report.matchAll(/(<testcase [^>]*>)\s*(<failure [^>]*>)/g)].map(([, test = "", failure = ""]) =>
    describeFailure(test, failure),
  );
  return { passed: count(root, "tests") - failed - skipped.length, failed, skipped, failures };
}

/** The sum of several counts. */
export const sumOf = (all: readonly TestCounts[]): TestCounts => ({
  passed: all.reduce((sum, { passed }) => sum + passed, 0),
  failed: all.reduce((sum, { failed }) => sum + failed, 0),
  skipped: all.flatMap(({ skipped }) => skipped),
  failures: all.flatMap(({ failures }) => failures),
});

function describeFailure(test: string, failure: string): string {
  const place = [attribute(test, "file"), attribute(test, "line")].filter((part) => part !== "").join(":");
  const name = [attribute(test, "classname"), attribute(test, "name")].filter((part) => part !== "").join(" > ");
  const lines = attribute(failure, "message").split("\n").slice(0, MAX_LINES);
  return [
    [place, name].join(" ").trim(),
    ...lines.filter((line) => line.trim() !== "").map((line) => `    ${line}`),
  ].join("\n");
}

/** The number that an attribute has. Throws without one. */
function count(tag: string, name: string): number {
  const value = attribute(tag, name);
  if (!/^\d+$/.test(value)) throw new Error(`The test report does not tell its ${name}.`);
  return Number(value);
}

/** The text of an attribute; empty without one. */
function attribute(tag: string, name: string): string {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  return value.replace(/&(?:#(\d+)|(\w+));/g, (entity, code: string | undefined, word = "") =>
    code === undefined ? (NAMED_CHARACTERS[word] ?? entity) : String.fromCodePoint(Number(code)),
  );
}

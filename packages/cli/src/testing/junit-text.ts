import { countOutcomes, type TestOutcome } from "@mdx-ai/directory/testing";
import { visibleText } from "@mdx-ai/parser/visible-text";

/** The outcomes as JUnit XML: a suite for each subject. What XML cannot hold, or nobody could see, is escaped visibly. */
export function junitText(outcomes: readonly TestOutcome[], milliseconds: number): string {
  const suites = [...Map.groupBy(outcomes, ({ test }) => test.subject)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="mdx-ai test" ${countAttributes(outcomes)} time="${seconds(milliseconds)}">`,
    ...suites.flatMap(([subject, ended]) => suiteLines(subject, ended)),
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteLines(subject: string, outcomes: readonly TestOutcome[]): readonly string[] {
  const time = seconds(outcomes.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  return [
    `  <testsuite name="${escaped(subject)}" ${countAttributes(outcomes)} time="${time}">`,
    ...outcomes.flatMap(caseLines),
    "  </testsuite>",
  ];
}

function caseLines({ test: { subject, name, place }, status, failure, milliseconds }: TestOutcome): readonly string[] {
  const where = `file="${escaped(place.file)}" line="${place.line}"`;
  const start = `    <testcase name="${escaped(name)}" classname="${escaped(subject)}" ${where} time="${seconds(milliseconds)}"`;
  if (status === "passed") return [`${start} />`];
  if (status === "stopped") return [`${start}>`, '      <skipped message="interrupted" />', "    </testcase>"];
  const lines = (failure?.lines ?? []).map(({ mark, text }) => escaped(`${mark} ${text}`));
  const text = [`${escaped(place.file)}:${place.line}:${place.column}`, ...lines].join("\n");
  return [
    `${start}>`,
    `      <failure message="${escaped(failure?.message ?? "")}">${text}</failure>`,
    "    </testcase>",
  ];
}

function countAttributes(outcomes: readonly TestOutcome[]): string {
  const { failed, stopped } = countOutcomes(outcomes);
  return `tests="${outcomes.length}" failures="${failed}" errors="0" skipped="${stopped}"`;
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

const escaped = (text: string): string => Bun.escapeHTML(visibleText(text));

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

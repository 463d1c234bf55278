import { visibleText } from "@mdx-ai/base";
import {
  countOutcomes,
  type DifferenceLine,
  type OutcomeCounts,
  type TestCase,
  type TestOutcome,
} from "@mdx-ai/directory/testing";
import { plainLine } from "@mdx-ai/directory/text";
import { exactDuration } from "@mdx-ai/directory/views/figures";
import type { CommandContext } from "../command-context.ts";
import type { Paint } from "../output/output.ts";
import { Spinner } from "../output/spinner.ts";

/**
 * A test's outcome as a line, followed by the reason for a failure; empty for a test that did not run. `position` is its number as shown.
 */
export function outcomeText(
  { test, status, failure, milliseconds }: TestOutcome,
  position: string,
  paint: Paint,
): string {
  const title = `${plainLine(test.subject)}: ${plainLine(test.name)}`;
  switch (status) {
    case "passed":
      return `${paint("green", "✓")} ${title} ${paint("dim", `(${exactDuration(milliseconds)})`)}\n`;
    case "stopped":
      return "";
    case "failed":
      return [
        `${paint("red", "✗")} ${title}  ${plainLine(position)}`,
        `    ${paint("red", plainLine(failure?.message ?? ""))}`,
        ...(failure?.lines ?? []).map((line) => `    ${differenceText(line, paint)}`.trimEnd()),
        "",
      ].join("\n");
    default:
      return status satisfies never;
  }
}

/** A line of a comparison as text. */
export function differenceText({ mark, text }: DifferenceLine, paint: Paint): string {
  const line = `${mark} ${text}`;
  if (mark === " ") return line;
  return paint(mark === "-" ? "red" : "green", line);
}

/** "2 passed, 1 failed (0.3 s)", and the number of tests that did not run. */
export function summaryText({ passed, failed, stopped }: OutcomeCounts, milliseconds: number, paint: Paint): string {
  const parts = [
    ...(passed > 0 ? [paint("green", `${passed} passed`)] : []),
    ...(failed > 0 ? [paint("red", `${failed} failed`)] : []),
    ...(stopped > 0 ? [paint("yellow", `${stopped} not run: interrupted`)] : []),
  ];
  return `\n${parts.join(", ")} ${paint("dim", `(${exactDuration(milliseconds)})`)}\n`;
}

/** The spinner's line must not wrap. */
const NAME_WIDTH = 50;

/** Shows on a terminal that tests are running. */
export interface TestProgress {
  begin(test: TestCase): void;
  /** Called when a test has ended; shows `text` above the line. */
  end(text: string): void;
  stop(): void;
}

/** `isSilent`: standard output is for programs, so progress goes to standard error. */
export function createTestProgress(total: number, isSilent: boolean, context: CommandContext): TestProgress {
  const spinner = new Spinner(isSilent ? context.stderr : context.stdout, context.environment);
  let ended = 0;
  return {
    begin: ({ subject, name }) => {
      spinner.show(`${ended} of ${total} · ${plainLine(`${subject}: ${name}`).slice(0, NAME_WIDTH)}`);
    },
    end: (text) => {
      ended += 1;
      if (!isSilent) spinner.write(text);
    },
    stop: () => spinner.stop(),
  };
}

/** The outcomes as JUnit XML, with one suite per subject. Characters that XML does not allow, or that are invisible, are escaped. */
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

/** The outcomes as JSON; see docs/testing.md. */
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

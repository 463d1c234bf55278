import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  countOutcomes,
  type PreparedTests,
  prepareTests,
  runCases,
  type TestCase,
  type TestOutcome,
} from "@mdx-ai/directory/testing";
import { jsonText } from "@mdx-ai/directory/text";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { numberOption, textOption } from "../arguments/option-values.ts";
import { readRunOptions } from "../arguments/run-options.ts";
import { trustOptions } from "../asking/command-questions.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { shownPath } from "../output/diagnostics-text.ts";
import { createTestProgress, junitText, outcomeText, summaryText, testReport } from "../testing/test-report.ts";

/** `mdx-ai test`: runs the tests of an agent directory without a model or network. The exit code is 1 if one fails. */
export async function runTest(args: ParsedArguments, context: CommandContext): Promise<number> {
  const options = readTestOptions(args);
  const { cwd: _cwd, workspace, ...run } = readRunOptions(args, context);
  const signal = context.interruption.listen();
  const request = { run, ...options, ...(workspace !== undefined && { cwd: workspace }) };
  const prepared = await prepareTests(request, trustOptions(context, signal));
  const start = performance.now();
  const outcomes = await runAndShow({ prepared, options, signal }, context);
  report(outcomes, performance.now() - start, { path: prepared.directory.path, options, context });
  return context.interruption.exitCode ?? (countOutcomes(outcomes).failed > 0 ? EXIT_CODE.failed : EXIT_CODE.done);
}

interface ReadyTests {
  readonly prepared: PreparedTests;
  readonly options: TestOptions;
  readonly signal: AbortSignal;
}

async function runAndShow(
  { prepared: { directory, tests }, options, signal }: ReadyTests,
  context: CommandContext,
): Promise<readonly TestOutcome[]> {
  const progress = createTestProgress(tests.length, options.isJson, context);
  const placeOf = ({ place }: TestCase): string =>
    `${shownPath(context, directory, place.file)}:${place.line}:${place.column}`;
  const outcomes = await runCases(tests, {
    jobs: options.jobs,
    signal,
    onBegin: (test) => progress.begin(test),
    onEnd: (outcome) => progress.end(outcomeText(outcome, placeOf(outcome.test), context.paint)),
  });
  progress.stop();
  return outcomes;
}

interface Reporting {
  /** The path of the agent directory. */
  readonly path: string;
  readonly options: TestOptions;
  readonly context: CommandContext;
}

function report(outcomes: readonly TestOutcome[], milliseconds: number, { path, options, context }: Reporting): void {
  const text = options.isJson
    ? `${jsonText(testReport(path, outcomes, milliseconds), 2)}\n`
    : summaryText(countOutcomes(outcomes), milliseconds, context.paint);
  context.stdout.write(text);
  if (options.junit === undefined) return;
  const file = resolve(context.currentDirectory, options.junit);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, junitText(outcomes, milliseconds));
}

const DEFAULT_JOBS = 2;
const MAX_JOBS = 64;

/** The options of a test run. */
interface TestOptions {
  /** Tests that run concurrently. */
  readonly jobs: number;
  readonly isJson: boolean;
  /** Whether recorded sessions run their tools again. */
  readonly isLive: boolean;
  /** Runs only tests whose subject or name contains this text; ignores case. */
  readonly filter?: string;
  /** The file given with `--junit`. */
  readonly junit?: string;
}

/** Throws `UsageError`. */
function readTestOptions(args: ParsedArguments): TestOptions {
  const jobs = numberOption(args, { name: "jobs", minimum: 1, maximum: MAX_JOBS, isWhole: true }) ?? DEFAULT_JOBS;
  const filter = args.values.get("filter");
  const junit = textOption(args, "junit", "a file");
  return {
    jobs,
    isJson: args.switches.has("json"),
    isLive: args.switches.has("live-tools"),
    ...(filter === undefined ? {} : { filter }),
    ...(junit === undefined ? {} : { junit }),
  };
}

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { AgentDirectory } from "@mdx-ai/parser";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/exit-code.ts";
import { InterruptedError } from "../failures/interrupted-error.ts";
import { loadEnvFile } from "../input/env-file.ts";
import { readAgentRun } from "../opening/agent-run.ts";
import { dataOfRun } from "../opening/data-directory.ts";
import { shownPath } from "../opening/diagnostics-text.ts";
import { readRunnable } from "../opening/read-directory.ts";
import { jsonText } from "../output/json-text.ts";
import { createPaint } from "../output/paint.ts";
import { countOutcomes } from "../testing/count-outcomes.ts";
import { findTests } from "../testing/find-tests.ts";
import { junitText } from "../testing/junit-text.ts";
import { runCases, type TestOutcome } from "../testing/run-cases.ts";
import type { TestCase, TestSurroundings } from "../testing/test-case.ts";
import { readTestOptions, type TestOptions } from "../testing/test-options.ts";
import { createTestProgress } from "../testing/test-progress.ts";
import { testReport } from "../testing/test-report.ts";
import { outcomeText, summaryText } from "../testing/test-text.ts";
import { withoutNetwork } from "../testing/without-network.ts";
import { ensureTrust, warn } from "../trust/ensure-trust.ts";

/** `mdx-ai test`: runs the tests of an agent directory, without a model and without a network; 1 where one fails. */
export async function runTest(args: ParsedArguments, context: CommandContext): Promise<number> {
  const options = readTestOptions(args);
  const run = { ...readAgentRun(args, context), isEphemeral: true };
  loadEnvFile(args, context);
  const signal = context.interruption.listen();
  const read = await readRunnable(run.directory, context);
  if (run.data !== undefined) dataOfRun(run, read, context);
  const directory = withoutModules(read);
  const offline = await withoutNetwork(directory.path, context);
  const cwd = args.values.has("cwd") ? run.cwd : directory.path;
  const { isLive } = options;
  const surroundings = { directory, whole: read, isLive, run: { ...run, cwd }, context: offline ?? context };
  const tests = await findTests(surroundings, options.filter);
  await ensureTrust(read, context, { once: run.isTrusted, signal });
  if (signal.aborted) throw new InterruptedError();
  if (offline === undefined)
    warn(context)("the network is not held back from the tests: that needs bubblewrap (bwrap)");
  const start = performance.now();
  const outcomes = await runAndShow(tests, { options, surroundings, signal });
  report(outcomes, performance.now() - start, { options, surroundings, signal });
  return context.interruption.exitCode ?? (countOutcomes(outcomes).failed > 0 ? EXIT_CODE.failed : EXIT_CODE.done);
}

/** Tests run tools of agent.mdx alone: modules could reach the network from within this process. */
function withoutModules({ definition, ...directory }: AgentDirectory): AgentDirectory {
  return { ...directory, definition: { ...definition, modules: [] } };
}

interface TestRun {
  readonly options: TestOptions;
  readonly surroundings: TestSurroundings;
  readonly signal: AbortSignal;
}

async function runAndShow(tests: readonly TestCase[], run: TestRun): Promise<readonly TestOutcome[]> {
  const { options, surroundings, signal } = run;
  const { context, directory } = surroundings;
  const paint = createPaint(context.stdout, context.environment);
  const progress = createTestProgress(tests.length, options.isJson, context);
  const placeOf = ({ place }: TestCase): string =>
    `${shownPath(context, directory, place.file)}:${place.line}:${place.column}`;
  const outcomes = await runCases(tests, {
    jobs: options.jobs,
    signal,
    onBegin: (test) => progress.begin(test),
    onEnd: (outcome) => progress.end(outcomeText(outcome, placeOf(outcome.test), paint)),
  });
  progress.stop();
  return outcomes;
}

function report(outcomes: readonly TestOutcome[], milliseconds: number, run: TestRun): void {
  const { options, surroundings } = run;
  const { context, directory } = surroundings;
  const text = options.isJson
    ? `${jsonText(testReport(directory.path, outcomes, milliseconds), 2)}\n`
    : summaryText(countOutcomes(outcomes), milliseconds, createPaint(context.stdout, context.environment));
  context.stdout.write(text);
  if (options.junit === undefined) return;
  const file = resolve(context.currentDirectory, options.junit);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, junitText(outcomes, milliseconds));
}

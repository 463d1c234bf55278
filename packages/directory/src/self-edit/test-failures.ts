import { realPathOrSame } from "@mdx-ai/base/disk";
import { DirectoryError } from "../directory-error.ts";
import type { FrontEnd } from "../front-end.ts";
import { plainRun } from "../opening/run-options.ts";
import { type PreparedTests, prepareTests } from "../testing/prepare-tests.ts";
import { runCases } from "../testing/run-cases.ts";

/** Runs the examples and recordings of a directory whose code the user agreed to; one line for each that fails. Rejects with `DirectoryError`. */
export async function testFailures(path: string, frontEnd: FrontEnd, signal: AbortSignal): Promise<readonly string[]> {
  const prepared = await preparedTests(path, frontEnd, signal);
  if (prepared === undefined) return [];
  const options = { jobs: 2, signal, onBegin: () => {}, onEnd: () => {} };
  const outcomes = await runCases(prepared.tests, options);
  return outcomes.flatMap(({ test, failure }) => {
    if (failure === undefined) return [];
    const lines = failure.lines.map(({ mark, text }) => `  ${mark} ${text}`);
    return [`${test.subject}: ${test.name}: ${failure.message}`, ...lines];
  });
}

/** Undefined without tests. */
async function preparedTests(
  path: string,
  frontEnd: FrontEnd,
  signal: AbortSignal,
): Promise<PreparedTests | undefined> {
  const { cwd: _cwd, ...run } = plainRun(realPathOrSame(path), path);
  try {
    return await prepareTests({ run: { ...run, isTrusted: true }, isLive: false }, { frontEnd, signal });
  } catch (error) {
    if (error instanceof DirectoryError && error.problem === "untested") return undefined;
    throw error;
  }
}

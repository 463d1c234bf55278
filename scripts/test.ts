// `npm test`: runs the tests that take two minutes, with Bun's own runner, and closes with a line that counts them.
//   npm run test:all            all tests, the program's as an executable, and the sandbox's also as an ordinary user
//   npm run test:all -- --rest  what `npm test` leaves out of them
//   npm test -- PATHS           the tests of files and folders, with flags of Bun's
//   npm test -- --changed       the tests that use what changed since the last commit; `npm run test:all -- --changed` with the long ones
// Without paths, failures alone are shown, and a dot for each file. The slowest files start first, of which
// `npm run test:all -- --update-timings` writes down how long they took.
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { buildExecutable } from "./build-executable.ts";
import { affectedTests, changedFiles } from "./testing/affected-tests.ts";
import { countTests, sumOf, type TestCounts } from "./testing/junit-report.ts";
import { needsOrdinaryUser, type OrdinaryUser, ordinaryUser, TESTS_OF_BOTH_USERS } from "./testing/ordinary-user.ts";
import { type Part, testFiles } from "./testing/test-files.ts";
import { staleTimings, TIMINGS, tidyTimings } from "./testing/timings.ts";

/** Tests start real processes, and a machine may be busy; only a hanging test should reach this limit. */
const TEST_TIMEOUT_MS = 120_000;

/** Many tests wait for processes and time-outs: two workers per core leave the cores idle a quarter of the time. */
const WORKERS = 3 * availableParallelism();

const UPDATE_TIMINGS = "--update-timings";
/** The flags of this program; all others are for Bun's runner. */
const OWN_FLAGS: readonly string[] = ["--all", "--rest", "--changed", UPDATE_TIMINGS];

/** The outcome of a run without a test. */
const NOTHING: TestRun = { counts: { passed: 0, failed: 0, skipped: [], failures: [] }, exitCode: 0, isStopped: false };

const workshop = await mkdtemp(join(tmpdir(), "mdx-ai-test-"));
/** Within the repository, where the executable finds the packages that come with it. */
const dist = join(import.meta.dir, `../dist/test-${process.pid}`);
const args = process.argv.slice(2);
const isNamed = args.some((arg) => !OWN_FLAGS.includes(arg));
const isChanged = args.includes("--changed");
const part: Part = args.includes("--rest") ? "long" : args.includes("--all") ? "all" : "short";
const hasExecutable = !isNamed && !isChanged && part !== "short";
/** The copy for the second run is made during the first one. */
const user = hasExecutable && needsOrdinaryUser(process.cwd()) ? ordinaryUser(process.cwd()) : undefined;
// The second run reports a failure.
user?.catch(() => {});
try {
  const own = await runOwn();
  if (args.includes(UPDATE_TIMINGS) && !own.isStopped) await tidyTimings(process.cwd());
  const runs = user === undefined || own.isStopped ? [own] : [own, await runAsOrdinaryUser(user)];
  const counts = sumOf(runs.map((run) => run.counts));
  const note = part === "all" && !isNamed ? await staleTimings(process.cwd()) : undefined;
  if (note !== undefined) console.log(`\n${note}`);
  const strict = (process.env["CI"] ?? "") !== "";
  console.log(`\n${summary(counts, strict)}`);
  const exitCode = runs.find((run) => run.exitCode !== 0)?.exitCode ?? 0;
  process.exitCode = counts.failed > 0 || (strict && counts.skipped.length > 0) ? 1 : exitCode;
} finally {
  await rm(workshop, { recursive: true, force: true });
  await rm(dist, { recursive: true, force: true });
  await (await user?.catch(() => undefined))?.[Symbol.asyncDispose]();
}

async function runOwn(): Promise<TestRun> {
  const where = { bun: [process.execPath], tree: process.cwd(), reportFile: join(workshop, "report.xml") };
  const environment = { ...(hasExecutable ? await builtExecutable() : {}), ...process.env };
  if (isNamed) return runTests({ ...where, environment, args });
  const files = testFiles(process.cwd(), part);
  const chosen = isChanged ? affectedTests(process.cwd(), files, changedFiles(process.cwd())) : files;
  // Without a name, the runner would run every file.
  if (chosen.length === 0)
    return isChanged ? NOTHING : { ...NOTHING, exitCode: 1, counts: { ...NOTHING.counts, failed: 1 } };
  return runTests({ ...where, environment, args: [...timingFlags(), ...chosen.map((file) => `./${file}`)] });
}

/** Starts the slowest files first, if timings exist or are measured. */
function timingFlags(): readonly string[] {
  const isMeasured = args.includes(UPDATE_TIMINGS);
  return [
    ...(existsSync(TIMINGS) || isMeasured ? [`--timings=${TIMINGS}`] : []),
    ...(isMeasured ? [UPDATE_TIMINGS] : []),
  ];
}

/**
 * The long tests of the whole program use the executable, as users do; it also starts faster than the source. Builds it unless the
 * environment names one.
 */
async function builtExecutable(): Promise<Readonly<Record<string, string>>> {
  if (process.env["MDX_AI_EXECUTABLE"] !== undefined) return {};
  const outfile = join(dist, "mdx-ai");
  await buildExecutable({ outfile });
  return { MDX_AI_EXECUTABLE: outfile };
}

/** Repeats the tests that differ by user as an ordinary user. */
async function runAsOrdinaryUser(copy: Promise<OrdinaryUser>): Promise<TestRun> {
  try {
    const user = await copy;
    console.log("\nThe sandbox, as an ordinary user:");
    const args = [...timingFlags(), ...user.flags, ...TESTS_OF_BOTH_USERS.map((folder) => `./${folder}`)];
    return await runTests({ ...user, args, reportFile: join(user.environment["TMPDIR"] ?? "", "report.xml") });
  } catch (error) {
    // As for any program of the system that a test needs.
    const skipped = [`the sandbox, as an ordinary user: ${error}`];
    return { ...NOTHING, counts: { ...NOTHING.counts, skipped } };
  }
}

interface TestRunOptions {
  /** Bun, and the words before it. */
  readonly bun: readonly string[];
  /** The folder with the tests. Absolute. */
  readonly tree: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly reportFile: string;
}

interface TestRun {
  readonly counts: TestCounts;
  readonly exitCode: number;
  /** Whether a signal ended it. */
  readonly isStopped: boolean;
}

async function runTests({ bun, tree, args, environment, reportFile }: TestRunOptions): Promise<TestRun> {
  const flags = ["--no-env-file", "--no-install", "test", `--parallel=${WORKERS}`, ...(isNamed ? [] : ["--dots"])];
  const report = ["--reporter=junit", `--reporter-outfile=${reportFile}`];
  const runner = Bun.spawn([...bun, ...flags, `--timeout=${TEST_TIMEOUT_MS}`, ...report, ...args], {
    ...{ cwd: tree, env: environment },
    stdio: ["inherit", "inherit", "inherit"],
  });
  let isStopped = false;
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) {
    process.on(signal, () => {
      isStopped = true;
      // Ctrl+C in a terminal reaches the runner by itself; this process only has to outlive it.
      if (signal !== "SIGINT") runner.kill(signal);
    });
  }
  const exitCode = await runner.exited;
  return { counts: await readCounts(reportFile, exitCode), exitCode, isStopped };
}

/** A file that cannot be loaded is not in the report, and a runner that dies writes none: both count as one failure. */
async function readCounts(reportFile: string, exitCode: number): Promise<TestCounts> {
  const report = Bun.file(reportFile);
  const counts = (await report.exists()) ? countTests(await report.text()) : NOTHING.counts;
  if (exitCode === 0 || counts.failed > 0) return counts;
  return { ...counts, failed: 1, failures: [`the runner ended with exit code ${exitCode}; what it said is above`] };
}

/** The failed tests again, which may stand thousands of lines above, and the counts. If `strict`, skipped tests count as failed. */
function summary({ passed, failed, skipped, failures }: TestCounts, strict: boolean): string {
  const lines = failures.map((failure) => `failed: ${failure}\n`);
  if (strict) lines.push(...skipped.map((name) => `skipped, which counts as failed here: ${name}\n`));
  const end = strict || skipped.length === 0 ? "" : `, ${skipped.length} skipped`;
  return `${lines.join("")}${passed} passed, ${strict ? failed + skipped.length : failed} failed${end}`;
}

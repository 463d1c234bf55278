// `npm test [-- FILTERS AND FLAGS]`: runs the tests with Bun's own runner and closes with a line that counts them.
import { mkdtemp, rm } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { buildExecutable } from "./build-executable.ts";
import { countTests, type TestCounts } from "./junit-report.ts";

/** Tests start real processes, and a machine may be busy; only a test that hangs should meet this. */
const TEST_TIMEOUT_MS = 60_000;

const workshop = await mkdtemp(join(tmpdir(), "mdx-ai-test-"));
/** Within the repository, where the executable finds the packages that come with it. */
const dist = join(import.meta.dir, `../dist/test-${process.pid}`);
try {
  const reportFile = join(workshop, "report.xml");
  const args = process.argv.slice(2);
  const exitCode = await runTests(reportFile, args, args.length === 0 ? await builtExecutable() : {});
  const counts = await readCounts(reportFile, exitCode);
  const strict = (process.env["CI"] ?? "") !== "";
  console.log(`\n${summary(counts, strict)}`);
  process.exitCode = counts.failed > 0 || (strict && counts.skipped.length > 0) ? 1 : exitCode;
} finally {
  await rm(workshop, { recursive: true, force: true });
  await rm(dist, { recursive: true, force: true });
}

/** Whole-program tests of a full run start the executable, which is what users get, and starts faster than the source. */
async function builtExecutable(): Promise<Readonly<Record<string, string>>> {
  const outfile = join(dist, "mdx-ai");
  await buildExecutable({ outfile });
  return { MDX_AI_EXECUTABLE: outfile };
}

async function runTests(
  reportFile: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  const report = ["--reporter=junit", `--reporter-outfile=${reportFile}`];
  const runner = Bun.spawn(
    [
      process.execPath,
      "--no-env-file",
      `--config=${devNull}`,
      "--no-install",
      "test",
      "--parallel",
      `--timeout=${TEST_TIMEOUT_MS}`,
      ...report,
      ...(args.length === 0 ? ["./test"] : args),
    ],
    { stdio: ["inherit", "inherit", "inherit"], env: { ...variables, ...process.env } },
  );
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => runner.kill(signal));
  // Ctrl+C in a terminal reaches the runner by itself; this process only has to outlive it.
  process.on("SIGINT", () => undefined);
  return await runner.exited;
}

/** A file that cannot be loaded is not in the report, and a runner that dies writes none: both count as one failure. */
async function readCounts(reportFile: string, exitCode: number): Promise<TestCounts> {
  const report = Bun.file(reportFile);
  const counts = (await report.exists()) ? countTests(await report.text()) : { passed: 0, failed: 0, skipped: [] };
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Where `strict`, nothing may be skipped: what is, counts as failed and is named. */
function summary({ passed, failed, skipped }: TestCounts, strict: boolean): string {
  if (skipped.length === 0) return `${passed} passed, ${failed} failed`;
  if (!strict) return `${passed} passed, ${failed} failed, ${skipped.length} skipped`;
  const names = skipped.map((name) => `skipped, which counts as failed here: ${name}\n`).join("");
  return `${names}${passed} passed, ${failed + skipped.length} failed`;
}

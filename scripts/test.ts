// `npm test [-- FILTERS AND FLAGS]`: runs the tests with Bun's own runner and closes with a line that counts them.
import { mkdtemp, rm } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { countTests, type TestCounts } from "./junit-report.ts";

/** Tests start real processes, and a machine may be busy; only a test that hangs should meet this. */
const TEST_TIMEOUT_MS = 60_000;

const workshop = await mkdtemp(join(tmpdir(), "mdx-ai-test-"));
try {
  const reportFile = join(workshop, "report.xml");
  const exitCode = await runTests(reportFile, process.argv.slice(2));
  const counts = await readCounts(reportFile, exitCode);
  const strict = (process.env["CI"] ?? "") !== "";
  console.log(`\n${summary(counts, strict)}`);
  process.exitCode = counts.failed > 0 || (strict && counts.skipped.length > 0) ? 1 : exitCode;
} finally {
  await rm(workshop, { recursive: true, force: true });
}

async function runTests(reportFile: string, args: readonly string[]): Promise<number> {
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
    { stdio: ["inherit", "inherit", "inherit"] },
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

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@mdx-ai/base";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { type RequiredScenario, SUITE_PROGRAM } from "./scenarios.ts";

/** What a scenario found. */
export interface ScenarioResult {
  readonly scenario: RequiredScenario;
  /** Checks of the suite that succeeded. A scenario that it skips has none. */
  readonly successes: number;
  /** Checks that failed or were warned of, and failures to run. */
  readonly problems: readonly string[];
}

/** Milliseconds after which the suite ends the driver, which ends a program that hangs before that. */
const DRIVER_DEADLINE = "100000";

const DRIVER = join(import.meta.dir, "drive-cli-process.ts");

/** A run that takes longer hangs. */
const DEADLINE = { timeout: 110_000, killSignal: "SIGKILL" } as const;

/** Whether a scenario shows that our side does what is required. */
export const isSuccess = ({ successes, problems }: ScenarioResult): boolean => successes > 0 && problems.length === 0;

/** Lets the suite run a scenario against our program as a client. */
export const runClientScenario = (scenario: RequiredScenario): Promise<ScenarioResult> =>
  run(scenario, ["client", "--command", `${process.execPath} ${DRIVER}`]);

/** Lets the suite run a scenario against a server of ours. */
export const runServerScenario = (scenario: RequiredScenario, url: string): Promise<ScenarioResult> =>
  run(scenario, ["server", "--url", url]);

async function run(scenario: RequiredScenario, words: readonly string[]): Promise<ScenarioResult> {
  using results = temporaryDirectory();
  const { name, revision } = scenario;
  const flags = [
    "--scenario",
    name,
    "--spec-version",
    revision,
    "--output-dir",
    results.path,
    "--timeout",
    DRIVER_DEADLINE,
  ];
  const suite = Bun.spawn([process.execPath, SUITE_PROGRAM, ...words, ...flags], {
    ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe", ...DEADLINE },
  });
  const [, , exitCode] = await Promise.all([suite.stdout.text(), suite.stderr.text(), suite.exited]);
  const checks = checksIn(results.path);
  const problems = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING").map(({ text }) => text);
  return {
    scenario,
    successes: checks.filter(({ status }) => status === "SUCCESS").length,
    problems: exitCode === 0 ? problems : [...problems, `the suite ended with exit code ${exitCode}`],
  };
}

interface Check {
  readonly status: string;
  readonly text: string;
}

function checksIn(folder: string): readonly Check[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /checks\.json$/.test(file));
  return files.flatMap((file) => {
    const checks: unknown = JSON.parse(readFileSync(join(folder, file), "utf8"));
    return Array.isArray(checks) ? checks.flatMap(checkOf) : [];
  });
}

function checkOf(check: unknown): readonly Check[] {
  if (!isRecord(check)) return [];
  const { id, status, errorMessage, description } = check;
  return [{ status: String(status), text: `${id}: ${errorMessage ?? description}` }];
}

import { mkdirSync } from "node:fs";
import { devNull } from "node:os";
import { join, resolve } from "node:path";

export interface CliOptions {
  /** The user's home folder: state and caches go below it. Absolute. */
  readonly home: string;
  /** The current folder; default: the home folder. */
  readonly cwd?: string;
  /** What is piped in; without it standard input is /dev/null. */
  readonly input?: string;
  /** Put over the few variables that a run has. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const ROOT = join(import.meta.dir, "../..");

/** A run that takes longer hangs. */
const DEADLINE_MILLISECONDS = 100_000;

/** What to test in place of the source: `MDX_AI_EXECUTABLE=dist/mdx-ai npm test -- ./test/e2e`. */
const executable = process.env["MDX_AI_EXECUTABLE"];

/** Whether whole-program tests use an executable. */
export const isExecutableTested: boolean = executable !== undefined;

/** The command line that runs the program from source, as its launcher does. */
export const cliCommand = (args: readonly string[]): string[] =>
  executable === undefined ? sourceCommand(args) : [resolve(executable), ...args];

/** The same, also where an executable is tested. */
export const sourceCommand = (args: readonly string[]): string[] => [...SOURCE, ...args];

const SOURCE = [
  process.execPath,
  "--no-env-file",
  `--config=${devNull}`,
  `--tsconfig-override=${join(ROOT, "tsconfig.json")}`,
  "--no-install",
  join(ROOT, "packages/cli/src/main.ts"),
];

/** The variables of a run: nothing of the machine but the way to its programs. */
export const cliEnvironment = ({ home, environment = {} }: CliOptions): Record<string, string | undefined> => ({
  PATH: process.env["PATH"],
  HOME: home,
  TERM: "xterm-256color",
  LANG: "C.UTF-8",
  ...environment,
});

/** Runs the program as a process of its own to its end and collects what it says. See `runCommandLine` for all that is not about the process. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const { home, cwd = home, input } = options;
  mkdirSync(home, { recursive: true });
  const child = Bun.spawn(cliCommand(args), {
    cwd,
    env: cliEnvironment(options),
    stdin: input === undefined ? "ignore" : new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
    timeout: DEADLINE_MILLISECONDS,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
}

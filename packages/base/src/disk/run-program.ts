import type { Environment } from "../paths/environment.ts";

export interface ProgramOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly environment: Environment;
  /** What the program reads. Default: nothing. */
  readonly input?: string;
  readonly signal?: AbortSignal;
  /** After these it is killed. Default: never. */
  readonly milliseconds?: number;
}

/** How a program ended, and what it wrote. */
export interface ProgramEnd {
  /** Above 128 if a signal ended it. */
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program to its end. Rejects with the signal's reason, or with the system's error if it cannot be started. */
export async function runProgram(
  words: readonly string[],
  { cwd, environment, input, signal, milliseconds }: ProgramOptions,
): Promise<ProgramEnd> {
  signal?.throwIfAborted();
  const child = Bun.spawn([...words], {
    ...{ cwd, env: { ...environment }, stdout: "pipe", stderr: "pipe" },
    stdin: input === undefined ? "ignore" : new TextEncoder().encode(input),
    ...(signal !== undefined && { signal }),
    ...(milliseconds !== undefined && { timeout: milliseconds, killSignal: "SIGKILL" }),
  });
  const [output, errors, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  signal?.throwIfAborted();
  return { exitCode, output, errors };
}

import { errorMessage } from "@mdx-ai/runtime/error-message";
import { DirectoryError } from "../../directory-error.ts";
import { type CompilerOutput, parseCompilerOutput } from "./compiler-messages.ts";

/** Some types take forever to check, and a file may be a pipe to which nobody writes. */
const DEADLINE_MILLISECONDS = 60_000;
const LARGEST_OUTPUT = 32 * 1024 * 1024;

export interface CompilerRun {
  readonly compiler: string;
  /** The folder of tsconfig.json. Absolute. */
  readonly project: string;
  readonly signal: AbortSignal;
  readonly deadline?: number;
}

/**
 * Runs the compiler over a project, with an empty environment. Rejects with `DirectoryError`: "unchecked" if it gives no
 * answer, "interrupted" once `signal` fires.
 */
export async function runCompiler(run: CompilerRun): Promise<CompilerOutput> {
  if (run.signal.aborted) throw new DirectoryError("interrupted");
  const child = start(run);
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (run.signal.aborted) throw new DirectoryError("interrupted");
  if (child.signalCode !== null)
    throw new DirectoryError("unchecked", `cannot check the types: ${endText(child.signalCode)}`);
  const parsed = parseCompilerOutput(output);
  const [complaint] = parsed.complaints;
  if (child.exitCode === 0 || (parsed.messages.length > 0 && complaint === undefined)) return parsed;
  throw new DirectoryError("unchecked", `cannot check the types: ${complaint ?? errors.trim()}`);
}

function start({ compiler, project, signal, deadline = DEADLINE_MILLISECONDS }: CompilerRun) {
  try {
    return Bun.spawn([compiler, "-p", project, "--pretty", "false"], {
      cwd: project,
      env: {},
      stdio: ["ignore", "pipe", "pipe"],
      signal,
      timeout: deadline,
      maxBuffer: LARGEST_OUTPUT,
      killSignal: "SIGKILL",
      // The terminal's Ctrl+C must not reach it, since `signal` ends it: its end would be reported as a failure.
      detached: true,
    });
  } catch (cause) {
    throw new DirectoryError("unchecked", `cannot start TypeScript: ${errorMessage(cause)}`, { cause });
  }
}

const endText = (signal: string | number): string => `TypeScript took too long or printed too much (${signal})`;

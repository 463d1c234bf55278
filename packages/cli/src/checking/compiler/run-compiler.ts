import { errorMessage } from "../../failures/error-message.ts";
import { InterruptedError } from "../../failures/interrupted-error.ts";
import { type CompilerOutput, parseCompilerOutput } from "./compiler-messages.ts";

/** TypeScript gave no answer: it could not be started, crashed or took too long. */
export class TypeCheckError extends Error {
  override readonly name = "TypeCheckError";
}

/** Types can be made that take for ever to check, and a file can be a pipe into which nobody writes. */
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
 * Runs the compiler over a project, without the variables of the environment. Rejects with `TypeCheckError` where it gives
 * no answer, with `InterruptedError` where `signal` fires.
 */
export async function runCompiler(run: CompilerRun): Promise<CompilerOutput> {
  if (run.signal.aborted) throw new InterruptedError();
  const child = start(run);
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (run.signal.aborted) throw new InterruptedError();
  if (child.signalCode !== null)
    throw new TypeCheckError(`the types could not be checked: ${endText(child.signalCode)}`);
  const parsed = parseCompilerOutput(output);
  const [complaint] = parsed.complaints;
  if (child.exitCode === 0 || (parsed.messages.length > 0 && complaint === undefined)) return parsed;
  throw new TypeCheckError(`the types could not be checked: ${complaint ?? errors.trim()}`);
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
      // Out of reach of the terminal's Ctrl+C, which ends it through `signal`: else its end could be told as a failure.
      detached: true,
    });
  } catch (cause) {
    throw new TypeCheckError(`TypeScript could not be started: ${errorMessage(cause)}`, { cause });
  }
}

const endText = (signal: string | number): string => `TypeScript took too long, or had too much to say (${signal})`;

import { systemErrorText } from "@mdx-ai/base";
import { DirectoryError, type DirectoryProblem } from "@mdx-ai/directory/error";
import { plainLine, plainText } from "@mdx-ai/directory/text";
import { EXIT_CODE, ProgramError } from "./program-error.ts";

/** A described failure. */
export interface FailureDescription {
  /** For standard error: one line, then the stack if requested. Ends with a newline. */
  readonly text: string;
  readonly exitCode: number;
}

/**
 * Describes a failure. Expected failures have a message for users; others are bugs of the program. Loads the packages that define the known
 * errors, unless the failure is a `ProgramError`. Never rejects.
 */
export async function describeFailure(error: unknown, isDebug: boolean): Promise<FailureDescription> {
  const message = plainLine(
    systemErrorText(error) ?? (error instanceof Error ? error.message || error.name : String(error)),
  );
  const expected = await expectedExitCode(error);
  const exitCode = expected ?? EXIT_CODE.failed;
  if (isDebug) return { text: `mdx-ai: ${message}\n${plainText(stackOf(error))}\n`, exitCode };
  if (expected !== undefined) return { text: `mdx-ai: ${message}\n`, exitCode };
  return { text: `mdx-ai: unexpected failure: ${message} (add --debug for the stack trace)\n`, exitCode };
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? error.message;
  return error.cause === undefined ? stack : `${stack}\ncaused by: ${stackOf(error.cause)}`;
}

/** Undefined for a bug of the program. */
async function expectedExitCode(error: unknown): Promise<number | undefined> {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof ProgramError) return error.exitCode;
  if (error instanceof DirectoryError) return PROBLEM_CODES[error.problem];
  if (await isOneOf(error, misuses)) return EXIT_CODE.usage;
  return isSystemError(error) || (await isOneOf(error, failures)) ? EXIT_CODE.failed : undefined;
}

const PROBLEM_CODES: Readonly<Record<DirectoryProblem, number>> = {
  invalid: EXIT_CODE.usage,
  settings: EXIT_CODE.usage,
  data: EXIT_CODE.usage,
  lock: EXIT_CODE.usage,
  trust_list: EXIT_CODE.usage,
  import: EXIT_CODE.usage,
  untrusted: EXIT_CODE.untrusted,
  source: EXIT_CODE.failed,
  too_large: EXIT_CODE.failed,
  untested: EXIT_CODE.failed,
  unchecked: EXIT_CODE.failed,
  unfixable: EXIT_CODE.failed,
  interrupted: EXIT_CODE.interrupted,
};

type ErrorClasses = readonly (abstract new (...args: never[]) => Error)[];

/** False if a package cannot be loaded, which is then the failure itself. */
async function isOneOf(error: Error, load: () => Promise<ErrorClasses>): Promise<boolean> {
  try {
    return (await load()).some((one) => error instanceof one);
  } catch {
    return false;
  }
}

async function misuses(): Promise<ErrorClasses> {
  const models = await import("@mdx-ai/models");
  const runtime = await import("@mdx-ai/runtime");
  const sessions = await import("@mdx-ai/sessions");
  return [
    models.ConfigurationError,
    models.ModelScriptError,
    models.UnknownProviderError,
    sessions.AnswerError,
    sessions.SessionExistsError,
    sessions.SessionIdError,
    runtime.DisabledSkillError,
    runtime.SkillTextError,
    runtime.UnknownPriceError,
    runtime.UnknownSkillError,
    runtime.McpPromptError,
  ];
}

async function failures(): Promise<ErrorClasses> {
  const models = await import("@mdx-ai/models");
  const runtime = await import("@mdx-ai/runtime");
  const sessions = await import("@mdx-ai/sessions");
  const { SandboxMissingError } = await import("@mdx-ai/sandbox");
  const { RenderError } = await import("@mdx-ai/tools");
  const { MemoryStoreError } = await import("@mdx-ai/memory");
  const { NewerVersionError, SharedFileError, TemporaryFolderError } = await import("@mdx-ai/base/disk");
  return [
    models.MissingKeyError,
    models.ModelError,
    models.NoModelError,
    sessions.AnsweredQuestionError,
    sessions.JournalError,
    runtime.ModelMissingError,
    RenderError,
    sessions.ReplayError,
    SandboxMissingError,
    sessions.SessionBusyError,
    sessions.SessionInUseError,
    runtime.SkillFileError,
    sessions.StoreUnavailableError,
    sessions.UnknownPromptError,
    sessions.UnknownQuestionError,
    sessions.UnknownSessionError,
    sessions.UnsupportedOperationError,
    MemoryStoreError,
    NewerVersionError,
    SharedFileError,
    TemporaryFolderError,
  ];
}

/** An operating system error, such as a folder that is not writable. */
const isSystemError = (error: Error): boolean => "syscall" in error && "code" in error;

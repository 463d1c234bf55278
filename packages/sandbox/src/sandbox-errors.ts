import { errorCode, failureText, systemErrorText } from "@mdx-ai/base";

/** A sandbox could not be made. The message is a line without a full stop. */
export class SandboxStartError extends Error {
  override readonly name = "SandboxStartError";
}

/** The message for a command that comes after the sandbox was closed. */
export const CLOSED = "the sandbox was closed";

/** A part of a sandbox did not start in time. */
export class SandboxDeadlineError extends Error {
  override readonly name = "SandboxDeadlineError";

  constructor(seconds: number) {
    super(`the sandbox did not start within ${seconds} seconds; the system may be too busy`);
  }
}

/** The system's error codes for exhausted resources: a disk, memory, processes, open files. */
const USED_UP: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "ENOMEM", "EAGAIN", "EMFILE", "ENFILE"]);

/**
 * Whether a sandbox could not be made because a resource is used up or the system is too busy. An earlier command may have caused
 * that, so nothing runs without a sandbox instead.
 */
export const isShortage = (error: unknown): boolean =>
  error instanceof SandboxDeadlineError || USED_UP.has(errorCode(error) ?? "");

/** No sandbox can be made at the moment: a resource is used up, or a path is in the way. */
export class SandboxFailedError extends Error {
  override readonly name = "SandboxFailedError";

  constructor(cause: unknown) {
    super(`no sandbox can be made at the moment: ${systemErrorText(cause) ?? failureText(cause)}`, { cause });
  }
}

import { errorCode, failureText } from "../files/error-code.ts";

/** What a sandbox is made of did not start in time. */
export class SandboxDeadlineError extends Error {
  override readonly name = "SandboxDeadlineError";

  constructor(seconds: number) {
    super(`the sandbox did not start within ${seconds} seconds; the system may be too busy`);
  }
}

/** Codes of the system for what is used up: a disk, memory, processes, open files. */
const USED_UP: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "ENOMEM", "EAGAIN", "EMFILE", "ENFILE"]);

/**
 * Whether a sandbox could not be made for now, since something is used up or the system is too busy. What ran in a sandbox before
 * may have brought that about, so nothing may run bare because of it.
 */
export const isShortage = (error: unknown): boolean =>
  error instanceof SandboxDeadlineError || USED_UP.has(errorCode(error) ?? "");

/** No sandbox can be made for now. */
export class SandboxShortageError extends Error {
  override readonly name = "SandboxShortageError";

  constructor(cause: unknown) {
    super(`no sandbox can be made for now: ${failureText(cause)}`, { cause });
  }
}

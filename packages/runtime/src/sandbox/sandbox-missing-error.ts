/** The settings ask for a sandbox, and this system has none. */
export class SandboxMissingError extends Error {
  override readonly name = "SandboxMissingError";

  /** `why` is a line without a full stop. */
  constructor(why: string) {
    super(`the sandbox is required, and cannot be had: ${why}`);
  }
}

import { EXIT_CODE } from "./exit-code.ts";

/** An expected failure; the message is for users. */
export class ProgramError extends Error {
  override readonly name: string = "ProgramError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The command line asks for something that cannot be meant. The message says what to write instead. */
export class UsageError extends ProgramError {
  override readonly name = "UsageError";

  constructor(message: string, options?: ErrorOptions) {
    super(message, EXIT_CODE.usage, options);
  }
}

/** The user or the system broke off what was under way. */
export const interrupted = (): ProgramError => new ProgramError("interrupted", EXIT_CODE.interrupted);

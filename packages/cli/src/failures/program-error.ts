/** The documented exit codes. */
export const EXIT_CODE = {
  done: 0,
  failed: 1,
  usage: 2,
  untrusted: 3,
  limit: 4,
  interrupted: 130,
  /** The reader of standard output closed it; shells report 141 for SIGPIPE. */
  outputClosed: 141,
} as const;

/** Exit codes for signals: 128 + the signal's number, as in shells. */
export const SIGNAL_EXIT_CODE = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** An expected failure. The message is for users. */
export class ProgramError extends Error {
  override readonly name: string = "ProgramError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The command line is invalid. The message says what to write instead. */
export class UsageError extends ProgramError {
  override readonly name = "UsageError";

  constructor(message: string, options?: ErrorOptions) {
    super(message, EXIT_CODE.usage, options);
  }
}

/** The user or the system interrupted the work. */
export const interrupted = (): ProgramError => new ProgramError("interrupted", EXIT_CODE.interrupted);

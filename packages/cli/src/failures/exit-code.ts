/** The exit codes that users and their scripts rely upon. */
export const EXIT_CODE = {
  done: 0,
  failed: 1,
  usage: 2,
  untrusted: 3,
  limit: 4,
  interrupted: 130,
  /** The reader of standard output left, as shells show a program that SIGPIPE ended. */
  outputClosed: 141,
} as const;

/** The exit codes where a signal ends the program: 128 + its number, as shells have it. */
export const SIGNAL_EXIT_CODE = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * By the name of an error's class, so that no package must be loaded to know its errors. What is listed here is expected:
 * its message is written for users. Anything else is a fault of the program.
 */
const CODES: ReadonlyMap<string, number> = new Map([
  ["UsageError", EXIT_CODE.usage],
  ["InvalidDirectoryError", EXIT_CODE.usage],
  ["UserSettingsError", EXIT_CODE.usage],
  ["NotATerminalError", EXIT_CODE.usage],
  ["SessionIdError", EXIT_CODE.usage],
  ["SessionExistsError", EXIT_CODE.usage],
  ["UnknownSessionError", EXIT_CODE.failed],
  ["UnknownPromptError", EXIT_CODE.failed],
  ["UnknownProviderError", EXIT_CODE.usage],
  ["ModelScriptError", EXIT_CODE.usage],
  ["ConfigurationError", EXIT_CODE.usage],
  ["UnknownPriceError", EXIT_CODE.usage],
  ["UnknownSkillError", EXIT_CODE.usage],
  ["UntrustedError", EXIT_CODE.untrusted],
  ["ManifestLimitError", EXIT_CODE.failed],
  ["MissingKeyError", EXIT_CODE.failed],
  ["NoModelError", EXIT_CODE.failed],
  ["ModelMissingError", EXIT_CODE.failed],
  ["ModelError", EXIT_CODE.failed],
  ["SandboxMissingError", EXIT_CODE.failed],
  ["SkillFileError", EXIT_CODE.failed],
  ["RenderError", EXIT_CODE.failed],
  ["SessionInUseError", EXIT_CODE.failed],
  ["SessionTakenError", EXIT_CODE.failed],
  ["JournalError", EXIT_CODE.failed],
  ["OutputError", EXIT_CODE.failed],
  ["ReplayError", EXIT_CODE.failed],
  ["NothingToTestError", EXIT_CODE.failed],
  ["TypeCheckError", EXIT_CODE.failed],
  ["UnfixableFileError", EXIT_CODE.failed],
  ["ForeignFileError", EXIT_CODE.failed],
  ["SharedFileError", EXIT_CODE.failed],
  ["InterruptedError", EXIT_CODE.interrupted],
]);

/** The exit code of an expected failure; undefined for a fault of the program. */
export function expectedExitCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  return CODES.get(error.name) ?? (isSystemError(error) ? EXIT_CODE.failed : undefined);
}

/** What the operating system refuses, such as a folder that cannot be written. */
const isSystemError = (error: Error): boolean => "syscall" in error && "code" in error;

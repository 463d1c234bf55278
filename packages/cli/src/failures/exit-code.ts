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

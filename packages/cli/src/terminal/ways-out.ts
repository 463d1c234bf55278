import { SIGNAL_EXIT_CODE } from "../failures/program-error.ts";

/** What to do on a way out. */
export interface WaysOut {
  /** A signal came, or the terminal went away; with the exit code for it. */
  leave(exitCode: number): void;
  /** The process is about to end, for whatever reason. At once, and must not throw. */
  restore(): void;
}

/**
 * Watches every way out of the process until the returned function is called. It does not end the process and reports
 * nothing: the caller listens for unhandled rejections, too.
 */
export function watchWaysOut({ leave, restore }: WaysOut): () => void {
  const listeners = Object.entries(SIGNAL_EXIT_CODE).map(([name, code]) => ({ name, listener: () => leave(code) }));
  const hangUp = (): void => leave(SIGNAL_EXIT_CODE.SIGHUP);
  for (const { name, listener } of listeners) {
    process.on(name, listener);
  }
  process.on("exit", restore);
  // Before the failure is reported and the process ends, so that the report finds the terminal restored.
  process.on("uncaughtExceptionMonitor", restore).prependListener("unhandledRejection", restore);
  process.stdout.on("error", hangUp);
  process.stdin.on("error", hangUp).on("end", hangUp);
  return () => {
    for (const { name, listener } of listeners) {
      process.off(name, listener);
    }
    process.off("exit", restore);
    process.off("uncaughtExceptionMonitor", restore).off("unhandledRejection", restore);
    process.stdout.off("error", hangUp);
    process.stdin.off("error", hangUp).off("end", hangUp);
  };
}

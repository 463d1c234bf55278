import { SIGNAL_EXIT_CODE } from "../failures/program-error.ts";

/** Milliseconds within which a second Ctrl+C leaves. */
export const leaveWindow = 3000;

/** What a press of Ctrl+C means, given the time of the one before. */
export class Interrupts {
  #last = Number.NEGATIVE_INFINITY;

  /** `now` in milliseconds, never going back. */
  press(now: number, isRunning: boolean): "leave" | "stop" | "warn" {
    const again = now - this.#last <= leaveWindow;
    this.#last = now;
    if (again) {
      return "leave";
    }
    return isRunning ? "stop" : "warn";
  }

  /** Something was typed, so the next press counts as the first. */
  forget(): void {
    this.#last = Number.NEGATIVE_INFINITY;
  }
}

/** A line for the user that goes away by itself when its time is over. */
export class Hint {
  readonly #onChange: () => void;
  #text = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Empty if there is none. */
  get text(): string {
    return this.#text;
  }

  show(text: string): void {
    this.stop();
    this.#text = text;
    this.#timer = setTimeout(() => this.hide(), leaveWindow);
    this.#onChange();
  }

  hide(): void {
    this.stop();
    this.#text = "";
    this.#onChange();
  }

  /** Keeps the current line from now on. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** What to do when the process is about to end. */
export interface WaysOut {
  /** Receives the exit code for a signal, or for a terminal that was closed. */
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

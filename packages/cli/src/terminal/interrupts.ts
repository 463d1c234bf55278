import { SIGNAL_EXIT_CODE } from "../failures/program-error.ts";

/** Milliseconds within which a second Ctrl+C leaves. */
export const leaveWindow = 3000;

/** Decides what a press of Ctrl+C means, from the time of the previous one. */
export class Interrupts {
  #last = Number.NEGATIVE_INFINITY;

  /** `now`: monotonic milliseconds. */
  press(now: number, isRunning: boolean): "leave" | "stop" | "warn" {
    const again = now - this.#last <= leaveWindow;
    this.#last = now;
    if (again) {
      return "leave";
    }
    return isRunning ? "stop" : "warn";
  }

  /** Called on typing, so that the next press counts as the first. */
  forget(): void {
    this.#last = Number.NEGATIVE_INFINITY;
  }
}

/** A line for the user that disappears after some time. */
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

  /** Stops the timer and keeps the current line. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** Handlers for the end of the process. */
export interface WaysOut {
  /** Receives the exit code for a signal or a closed terminal. */
  leave(exitCode: number): void;
  /** The process is about to exit for any reason. Must be synchronous and not throw. */
  restore(): void;
  /** Whether the process survives an error that no code awaits. Default: no. */
  isClaimed?(error: unknown): boolean;
}

/**
 * Watches for the end of the process until the returned function is called. It neither exits nor reports: the caller also handles unhandled
 * rejections.
 */
export function watchWaysOut({ leave, restore, isClaimed }: WaysOut): () => void {
  const listeners = Object.entries(SIGNAL_EXIT_CODE).map(([name, code]) => ({ name, listener: () => leave(code) }));
  const hangUp = (): void => leave(SIGNAL_EXIT_CODE.SIGHUP);
  for (const { name, listener } of listeners) {
    process.on(name, listener);
  }
  process.on("exit", restore);
  const onError = (error: unknown): void => {
    if (!isClaimed?.(error)) restore();
  };
  // Restores the terminal before the failure is reported.
  process.on("uncaughtExceptionMonitor", onError).prependListener("unhandledRejection", onError);
  process.stdout.on("error", hangUp);
  process.stdin.on("error", hangUp).on("end", hangUp);
  return () => {
    for (const { name, listener } of listeners) {
      process.off(name, listener);
    }
    process.off("exit", restore);
    process.off("uncaughtExceptionMonitor", onError).off("unhandledRejection", onError);
    process.stdout.off("error", hangUp);
    process.stdin.off("error", hangUp).off("end", hangUp);
  };
}

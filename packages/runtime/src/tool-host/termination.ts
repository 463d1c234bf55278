/** Milliseconds from the request to stop until the process is killed. */
const GRACE_MILLISECONDS = 500;

/** Why a call was stopped. */
export type StopReason = "timeout" | "abort";

/** When and how a call is stopped. */
export interface TerminationOptions {
  readonly milliseconds: number;
  readonly signal: AbortSignal;
  /** Asks the tool to stop. */
  readonly onStop: (reason: StopReason) => void;
  /** Stops it by force. */
  readonly onKill: () => void;
}

/** Stops a call when its time is over or its signal fires: first by a request, then by force. Dispose it when the call has ended. */
export class Termination implements Disposable {
  readonly #options: TerminationOptions;
  readonly #onAbort = (): void => this.#stop("abort");
  #timer: ReturnType<typeof setTimeout>;
  #reason: StopReason | undefined;

  constructor(options: TerminationOptions) {
    this.#options = options;
    this.#timer = setTimeout(() => this.#stop("timeout"), options.milliseconds);
    options.signal.addEventListener("abort", this.#onAbort, { once: true });
    if (options.signal.aborted) this.#onAbort();
  }

  /** Set once the call was asked to stop. */
  get reason(): StopReason | undefined {
    return this.#reason;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#options.signal.removeEventListener("abort", this.#onAbort);
  }

  #stop(reason: StopReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#options.onKill, GRACE_MILLISECONDS);
    this.#options.onStop(reason);
  }
}

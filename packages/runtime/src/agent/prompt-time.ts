import type { Clock } from "../types/agent.ts";

/** The time of one prompt: how long it may take, and its waits. */
export interface PromptTime {
  /** Ends the prompt: what the user said, or its deadline. */
  readonly signal: AbortSignal;
  /** Fires when its seconds are over; absent where it has all the time. */
  readonly deadline?: AbortSignal;
  /** Resolves after so many milliseconds, or when the prompt ends. */
  sleep(milliseconds: number): Promise<void>;
  /** To be called when the prompt has ended. */
  stop(): void;
}

/** The time begins now. */
export function promptTime(clock: Clock, seconds: number | undefined, stopped: AbortSignal): PromptTime {
  if (seconds === undefined) return { signal: stopped, sleep: (wait) => sleep(clock, wait, stopped), stop() {} };
  const controller = new AbortController();
  const signal = AbortSignal.any([stopped, controller.signal]);
  return {
    signal,
    deadline: controller.signal,
    sleep: (wait) => sleep(clock, wait, signal),
    stop: clock.after(1000 * seconds, () => controller.abort()),
  };
}

function sleep(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.after(milliseconds, () => {
      signal.removeEventListener("abort", wake);
      resolve();
    });
    const wake = (): void => {
      cancel();
      resolve();
    };
    signal.addEventListener("abort", wake, { once: true });
  });
}

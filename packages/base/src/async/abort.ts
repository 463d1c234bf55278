const ABORTED = Symbol("aborted");

/**
 * Resolves to the result of `work`, or of `onAbort` as soon as `signal` fires; without `onAbort`, rejects with the signal's
 * reason. If the signal has already fired, `work` does not start. Rejects as the two do. After an abort the outcome of `work` is
 * ignored, and the signal keeps no listener.
 */
export async function untilAborted<Result, Aborted = never>(
  work: () => Promise<Result>,
  signal: AbortSignal,
  onAbort: () => Aborted = () => {
    throw signal.reason;
  },
): Promise<Result | Aborted> {
  if (signal.aborted) return onAbort();
  const { promise: aborted, resolve } = Promise.withResolvers<typeof ABORTED>();
  using _listener = whenAborted(signal, () => resolve(ABORTED));
  const result = await Promise.race([work(), aborted]);
  return result === ABORTED ? onAbort() : result;
}

/** Resolves when a signal fires, at once if it has fired already. */
export function abortOf(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  whenAborted(signal, resolve);
  return promise;
}

/** Calls back when a signal fires, at once if it has fired already. The signal keeps no listener once the result is disposed. */
export function whenAborted(signal: AbortSignal, callback: () => void): Disposable {
  signal.addEventListener("abort", callback, { once: true });
  if (signal.aborted) callback();
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", callback) };
}

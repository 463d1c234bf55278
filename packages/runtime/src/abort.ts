const ABORTED = Symbol("aborted");

/**
 * Resolves to the result of `work`, or to that of `onAbort` as soon as `signal` fires; without `onAbort` it rejects with the
 * signal's reason then. `work` does not start if the signal has fired already. Rejects as the two do. What becomes of `work`
 * after an abort is ignored, and the signal keeps no listener.
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
  const abort = (): void => resolve(ABORTED);
  signal.addEventListener("abort", abort, { once: true });
  try {
    const result = await Promise.race([work(), aborted]);
    return result === ABORTED ? onAbort() : result;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

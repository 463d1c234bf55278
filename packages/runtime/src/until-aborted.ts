/**
 * The result of some work, or a rejection with the signal's reason as soon as the signal fires. The work is not started if
 * the signal has fired already; its outcome after an abort is ignored.
 */
export async function untilAborted<Value>(run: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([run(), aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

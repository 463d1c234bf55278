/** What a work gives, or the signal's reason as soon as that fires. What the work gives later is nobody's. */
export async function untilAborted<Value>(work: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A tool was stopped from outside before it answered. */
class ToolAbortedError extends Error {
  override readonly name = "ToolAbortedError";
}

/** What `run` gives, or a rejection with `ToolAbortedError` as soon as the signal fires; what `run` does after that is ignored. */
export async function untilAborted<Result>(run: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  const abortion = (): ToolAbortedError => new ToolAbortedError(abortionText(signal));
  if (signal.aborted) throw abortion();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(abortion());
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([run(), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Why a signal fired, for the model. */
function abortionText(signal: AbortSignal): string {
  const { reason } = signal;
  const timedOut = reason instanceof Error && reason.name === "TimeoutError";
  return timedOut ? "stopped: its time was over" : "aborted before it finished; what it did until then is unknown";
}

/** Milliseconds of silence after which nobody types any more. */
const QUIET_MILLISECONDS = 400;

/**
 * Takes what was typed before and away from the terminal's input, until nothing has come for a moment. Ctrl+C counts.
 * Standard input must be a terminal. Never rejects; ends at once where `signal` fires.
 */
export async function typedAhead(signal: AbortSignal, interrupt: () => void): Promise<void> {
  const { stdin } = process;
  const quiet = Promise.withResolvers<void>();
  const end = (): void => quiet.resolve();
  let timer = setTimeout(end, QUIET_MILLISECONDS);
  const take = (data: Buffer | string): void => {
    if (data.toString().includes("\u0003")) interrupt();
    clearTimeout(timer);
    timer = setTimeout(end, QUIET_MILLISECONDS);
  };
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  stdin.setRawMode(true);
  stdin.on("data", take).resume();
  try {
    await quiet.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    stdin.off("data", take).pause();
    stdin.setRawMode(false);
  }
}

/** Milliseconds without a key after which the user has stopped typing. */
const QUIET_MILLISECONDS = 400;

/**
 * Drops what was typed ahead, until no key has come for a moment; Ctrl+C still interrupts. Standard input must be a terminal.
 * Never rejects; resolves at once when `signal` fires.
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

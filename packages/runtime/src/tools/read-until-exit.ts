/** How long an output may be silent, after its process ended, before it counts as finished; and how long it is read at most. */
const QUIET_MILLISECONDS = 50;
const DRAIN_MILLISECONDS = 1_000;

/**
 * Reads a process's output until the process itself ends, and what is there by then: a child that it left behind may
 * hold the pipe open for as long as it lives.
 */
export async function readUntilExit(
  output: ReadableStream<Uint8Array>,
  exited: Promise<unknown>,
  onBytes: (bytes: Uint8Array) => void,
): Promise<void> {
  const reader = output.getReader();
  let pieces = 0;
  const read = async (): Promise<void> => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      pieces += 1;
      onBytes(next.value);
      // A flood of output would leave no turn to timers and signals, and so to what ends it.
      await afterTimers();
    }
  };
  const finished = read();
  await exited;
  await drained(finished, () => pieces);
  await reader.cancel();
}

function afterTimers(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => resolve());
  });
}

async function drained(finished: Promise<void>, pieces: () => number): Promise<void> {
  const done = finished.then(() => true);
  const quiet = (): Promise<boolean> => Bun.sleep(QUIET_MILLISECONDS).then(() => false);
  const deadline = performance.now() + DRAIN_MILLISECONDS;
  let before = -1;
  while (before !== pieces() && performance.now() < deadline) {
    before = pieces();
    if (await Promise.race([done, quiet()])) return;
  }
}

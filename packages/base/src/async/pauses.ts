/** Resolves when timers and signals have had their turn: to be awaited between pieces of work that may never run out. */
export function afterTimers(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => resolve());
  });
}

/**
 * Returns a function to call between pieces of work: it gives others a turn, and then calls `onPause`, whenever this thread was held for
 * so many milliseconds. Its promise rejects with what that throws.
 */
export function pauses(milliseconds: number, onPause = (): void => {}): () => Promise<void> | undefined {
  let end = performance.now() + milliseconds;
  const pause = async (): Promise<void> => {
    await afterTimers();
    onPause();
    end = performance.now() + milliseconds;
  };
  return () => (performance.now() < end ? undefined : pause());
}

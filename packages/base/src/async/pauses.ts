/** Resolves when timers and signals have run. Await this between the pieces of work that may never end. */
export function afterTimers(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => resolve());
  });
}

/**
 * Returns a function to call between pieces of work. Whenever this thread was busy for so many milliseconds, it lets timers run
 * and then calls `onPause`. Its promise rejects with what that throws.
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

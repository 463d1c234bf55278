const DEADLINE_MILLISECONDS = 50_000;

/** Waits until a condition holds, looking again and again; fails after a time that only a broken program needs. */
export async function eventually(
  holds: () => boolean,
  complaint: () => string = () => "the condition never held",
): Promise<void> {
  const deadline = performance.now() + DEADLINE_MILLISECONDS;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(complaint());
    await Bun.sleep(10);
  }
}

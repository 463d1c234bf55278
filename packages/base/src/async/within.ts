/** Calls back once after some milliseconds; the returned function cancels. */
type After = (milliseconds: number, callback: () => void) => () => void;

const bySystemClock: After = (milliseconds, callback) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};

/** Whether a promise settles within some milliseconds. Leaves no timer. Rejects if the promise rejects within them. */
export async function within(
  promise: Promise<unknown>,
  milliseconds: number,
  after: After = bySystemClock,
): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const cancel = after(milliseconds, () => late.resolve(false));
  try {
    return await Promise.race([promise.then(() => true), late.promise]);
  } finally {
    cancel();
  }
}

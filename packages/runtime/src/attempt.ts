/** The result of some work; undefined if it throws: for what need not be there, or need not succeed. */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

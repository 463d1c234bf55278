/** The result of a look-up; undefined if it throws: for whatever need not be there, or need not be readable. */
export function attempt<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

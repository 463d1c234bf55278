/** There is no test to run, which must not look like tests that passed. */
export class NothingToTestError extends Error {
  override readonly name = "NothingToTestError";
}

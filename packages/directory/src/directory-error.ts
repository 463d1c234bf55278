/** The kind of a failure with a directory. */
export type DirectoryProblem =
  /** It cannot run: it is not an agent directory, or its files have errors. */
  | "invalid"
  /** The user's settings cannot be used. */
  | "settings"
  /** The folder for its data cannot be used. */
  | "data"
  /** Its lock file is missing or broken. */
  | "lock"
  /** It would run code, but the user does not trust it. */
  | "untrusted"
  /** The list of trusted directories cannot be used for it. */
  | "trust_list"
  /** It can execute too much to be reviewed. */
  | "too_large"
  /** It has no tests, which must not look like passed tests. */
  | "untested"
  /** The compiler gave no answer: it could not be started, crashed or took too long. */
  | "unchecked"
  /** A file or folder of another program cannot become an agent. */
  | "import"
  /** An agent cannot be fetched from where it is shared, or is unsafe to unpack. */
  | "source"
  /** A file with fixes cannot be written. */
  | "unfixable"
  /** The caller's signal fired, or the user cancelled. */
  | "interrupted";

/** An expected failure; the message is for users. */
export class DirectoryError extends Error {
  override readonly name = "DirectoryError";
  readonly problem: DirectoryProblem;

  constructor(problem: DirectoryProblem, message: string = problem, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

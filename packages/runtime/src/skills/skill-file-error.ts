/** A skill of the index cannot be read any more; `cause` is what the file system said. */
export class SkillFileError extends Error {
  override readonly name = "SkillFileError";
  /** Relative to the agent directory. */
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`the skill file ${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.path = path;
  }
}

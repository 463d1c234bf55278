import { errorMessage } from "../error-message.ts";

/** A skill of the index cannot be read any more; `cause` is what the file system said. */
export class SkillFileError extends Error {
  override readonly name = "SkillFileError";
  /** Relative to the agent directory. */
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`the skill file ${path} cannot be read: ${errorMessage(cause)}`, {
      cause,
    });
    this.path = path;
  }
}

import { shellWord } from "@mdx-ai/runtime/files";

/** An agent directory would run code and nobody allowed it. */
export class UntrustedError extends Error {
  override readonly name = "UntrustedError";

  /** `reason` says what is with the directory, such as "is not trusted". */
  constructor(path: string, reason: string) {
    super(`${path} ${reason}; allow this run with --trust, or every run with: mdx-ai trust ${shellWord(path)}`);
  }
}

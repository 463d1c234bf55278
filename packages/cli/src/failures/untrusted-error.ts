import { shellWord } from "../shell-word.ts";

/** An agent directory would run code and nobody allowed it. */
export class UntrustedError extends Error {
  override readonly name = "UntrustedError";

  constructor(path: string, contents: string) {
    super(
      `${path} is not trusted, and an agent runs its own code (${contents}); ` +
        `allow this run with --trust, or every run with: mdx-ai trust ${shellWord(path)}`,
    );
  }
}

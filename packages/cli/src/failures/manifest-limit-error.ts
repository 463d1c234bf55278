/** What an agent directory can execute is too much to look through. */
export class ManifestLimitError extends Error {
  override readonly name = "ManifestLimitError";

  constructor(path: string, limit: string) {
    super(`what the agent can execute is more than ${limit}, which is too much to look through; the last was ${path}`);
  }
}

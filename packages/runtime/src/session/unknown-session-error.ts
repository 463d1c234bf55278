/** There is no session of this id. */
export class UnknownSessionError extends Error {
  override readonly name = "UnknownSessionError";

  constructor(id: string) {
    super(`there is no session ${JSON.stringify(id)}; mdx-ai sessions DIR lists those that are there`);
  }
}

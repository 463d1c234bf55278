import type { ModelError } from "../errors.ts";

type Reading = typeof import("./failures.ts");

/**
 * A problem as a server or the system stated it. Whatever reads its words is loaded when there is one: most answers have
 * none.
 */
export class UnreadFailure extends Error {
  override readonly name = "UnreadFailure";
  readonly #read: (reading: Reading) => ModelError;

  constructor(read: (reading: Reading) => ModelError) {
    super("a failure that was not read");
    this.#read = read;
  }

  /** The failure that it means. */
  async failure(): Promise<ModelError> {
    return this.#read(await import("./failures.ts"));
  }
}

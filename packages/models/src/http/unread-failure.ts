import type { ModelError } from "../errors.ts";

type Reading = typeof import("./failures.ts");

/** A problem reported by a server or the system. The code that reads it is loaded on demand, since most answers have none. */
export class UnreadFailure extends Error {
  override readonly name = "UnreadFailure";
  readonly #read: (reading: Reading) => ModelError;

  constructor(read: (reading: Reading) => ModelError) {
    super("a failure that was not read");
    this.#read = read;
  }

  /** The failure that it describes. */
  async failure(): Promise<ModelError> {
    return this.#read(await import("./failures.ts"));
  }
}

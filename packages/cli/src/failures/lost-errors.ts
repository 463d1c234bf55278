/** Errors that no code awaits, such as one in a timer of a module. */
export class LostErrors {
  readonly #claims = new Set<(error: unknown) => boolean>();
  readonly #claimed = new WeakSet<object>();

  /** Registers a function that says whether an error is a module's, which is then reported for it. Returns a function that ends this. */
  readonly watch = (claim: (error: unknown) => boolean): (() => void) => {
    this.#claims.add(claim);
    return () => void this.#claims.delete(claim);
  };

  /** Whether an error is a module's, so that the program continues. The module is asked once for each error. */
  readonly isClaimed = (error: unknown): boolean => {
    if (typeof error !== "object" || error === null) return false;
    if (this.#claimed.has(error)) return true;
    const isClaimed = [...this.#claims].some((claim) => claim(error));
    if (isClaimed) this.#claimed.add(error);
    return isClaimed;
  };
}

/** Pages of a list. */
const MAX_PAGES = 200;

/** Milliseconds after which no more pages of a list are asked for. */
const MAX_LENGTH = 20_000;

interface Walk {
  pages: number;
  readonly since: number;
  /** The items of the last page, as JSON. */
  last: string;
}

/** Finds where a list ends that its server does not end. A list is read by one walk at a time. */
export class PageWalks {
  readonly #walks = new Map<string, Walk>();

  /** A page is asked for; without a cursor it is the first one. */
  asked(method: string, cursor: unknown): void {
    if (cursor === undefined) this.#walks.set(method, { pages: 0, since: performance.now(), last: "" });
  }

  /**
   * Whether a page that names a next one is followed by it, and why not. `known`: the page itself is the one before it again.
   */
  next(method: string, cursor: unknown, next: string, items: readonly unknown[]): "follow" | "known" | "endless" {
    const walk = this.#walks.get(method);
    if (walk === undefined) return "follow";
    walk.pages += 1;
    const json = JSON.stringify(items);
    const isKnown = next === cursor && json === walk.last;
    walk.last = json;
    if (isKnown) return "known";
    const isOver = walk.pages >= MAX_PAGES || performance.now() - walk.since > MAX_LENGTH;
    return next === cursor || isOver ? "endless" : "follow";
  }

  /** Pages that were read before this one. */
  pagesBefore(method: string): number {
    return this.#walks.get(method)?.pages ?? 0;
  }
}

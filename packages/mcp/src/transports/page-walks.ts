/** Pages of a list. */
const MAX_PAGES = 200;

/** Milliseconds after which no further page is requested. */
const MAX_LENGTH = 20_000;

interface Walk {
  pages: number;
  readonly since: number;
  /** The items of the last page, as JSON. */
  last: string;
}

/** Detects the end of lists that a server never ends. Each list is read by one walk at a time. */
export class PageWalks {
  readonly #walks = new Map<string, Walk>();

  /** Called for each request of a page; without a cursor it is the first. */
  asked(method: string, cursor: unknown): void {
    if (cursor === undefined) this.#walks.set(method, { pages: 0, since: performance.now(), last: "" });
  }

  /** Whether the next page should be requested, else why not. `known`: the page repeats the one before. */
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

  /** Pages read before this one. */
  pagesBefore(method: string): number {
    return this.#walks.get(method)?.pages ?? 0;
  }
}

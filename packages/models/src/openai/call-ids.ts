import { createHash } from "node:crypto";
import { nextCount } from "../history/take-id.ts";
import type { Dialect } from "./dialect.ts";

/** Characters of an id that OpenAI accepts. */
const longestId = 40;

/** Gives the calls of a history ids that a vendor accepts, no two the same. The same calls in the same order get the same ids. */
export class CallIds {
  readonly #form: Dialect["callIds"];
  readonly #taken = new Set<string>();

  constructor(form: Dialect["callIds"]) {
    this.#form = form;
  }

  take(id: string): string {
    let free = this.#formed(id, 1);
    // Ids of which only the ends differ are cut to the same.
    for (let count = 2; this.#taken.has(free); count = nextCount(count, this.#taken)) free = this.#formed(id, count);
    this.#taken.add(free);
    return free;
  }

  #formed(id: string, count: number): string {
    if (this.#form === "nine") return nineCharacters(id, count);
    const clean = id.replace(/[^a-zA-Z0-9_-]/g, "_") || "call";
    const end = count === 1 ? "" : `_${count}`;
    return clean.slice(0, longestId - end.length) + end;
  }
}

function nineCharacters(id: string, count: number): string {
  if (count === 1 && /^[a-zA-Z0-9]{9}$/.test(id)) return id;
  return createHash("sha256").update(`${count} ${id}`).digest("hex").slice(0, 9);
}

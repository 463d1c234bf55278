import { isRecord, listOf, textOf, type UnknownRecord } from "../record.ts";

/** Which field of a detail grows from delta to delta. */
const growing: ReadonlyMap<unknown, string> = new Map([
  ["reasoning.text", "text"],
  ["reasoning.summary", "summary"],
]);

/** Puts OpenRouter's `reasoning_details` together from their deltas; they go back as they would have come in one piece. */
export class ReasoningDetails {
  #details: UnknownRecord[] = [];

  get isEmpty(): boolean {
    return this.#details.length === 0;
  }

  /** The details as JSON. */
  get text(): string {
    return JSON.stringify(this.#details);
  }

  /** Adds what came together, and gives the text that it holds for people. */
  add(details: unknown): string {
    return listOf(details)
      .filter(isRecord)
      .map((detail) => this.#addOne(detail))
      .join("");
  }

  #addOne(detail: UnknownRecord): string {
    const field = growing.get(detail["type"]);
    const last = this.#details.at(-1);
    const isMore = field !== undefined && last !== undefined && isSameDetail(last, detail);
    if (isMore) this.#details[this.#details.length - 1] = grown(last, detail, field);
    else this.#details.push(detail);
    return field === undefined ? "" : textOf(detail[field]);
  }
}

function isSameDetail(last: UnknownRecord, next: UnknownRecord): boolean {
  const isSame = (field: string): boolean => (next[field] ?? last[field]) === last[field];
  return last["type"] === next["type"] && isSame("index") && isSame("id");
}

/** The text is joined; of all else, such as a signature that comes last, the newest counts. */
function grown(last: UnknownRecord, next: UnknownRecord, field: string): UnknownRecord {
  const news = Object.entries(next).filter(([, value]) => value !== null && value !== undefined);
  return { ...last, ...Object.fromEntries(news), [field]: textOf(last[field]) + textOf(next[field]) };
}

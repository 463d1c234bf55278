import { isRecord, listOf, textOf, type UnknownRecord } from "@mdx-ai/base";

/** Which field of a detail grows from delta to delta. */
const growing: ReadonlyMap<unknown, string> = new Map([
  ["reasoning.text", "text"],
  ["reasoning.summary", "summary"],
]);

/** By the names of its fields. A map can grow without a copy, whatever the names are. */
type Detail = Map<string, unknown>;

/** Puts OpenRouter's `reasoning_details` together from their deltas; they go back as they would have come in one piece. */
export class ReasoningDetails {
  readonly #details: Detail[] = [];

  get isEmpty(): boolean {
    return this.#details.length === 0;
  }

  /** The details as JSON. */
  get text(): string {
    return JSON.stringify(this.#details.map((detail) => Object.fromEntries(detail)));
  }

  /** Adds details that arrived together, and returns their readable text. */
  add(details: unknown): string {
    return listOf(details)
      .filter(isRecord)
      .map((detail) => this.#addOne(detail))
      .join("");
  }

  #addOne(detail: UnknownRecord): string {
    const field = growing.get(detail["type"]);
    const last = this.#details.at(-1);
    if (field !== undefined && last !== undefined && isSameDetail(last, detail)) grow(last, detail, field);
    else this.#details.push(new Map(Object.entries(detail)));
    return field === undefined ? "" : textOf(detail[field]);
  }
}

function isSameDetail(last: Detail, next: UnknownRecord): boolean {
  const isSame = (field: string): boolean => (next[field] ?? last.get(field)) === last.get(field);
  return last.get("type") === next["type"] && isSame("index") && isSame("id");
}

/** The text is joined; of all else, such as a signature that comes last, the newest counts. */
function grow(last: Detail, next: UnknownRecord, field: string): void {
  const text = textOf(last.get(field)) + textOf(next[field]);
  for (const [name, value] of Object.entries(next)) if (value !== null && value !== undefined) last.set(name, value);
  last.set(field, text);
}

import { isRecord, listOf, textOf, type UnknownRecord } from "@mdx-ai/base";

/** The field of a detail that deltas extend. */
const growing: ReadonlyMap<unknown, string> = new Map([
  ["reasoning.text", "text"],
  ["reasoning.summary", "summary"],
]);

/** Fields by name. A map grows without a copy and accepts any name. */
type Detail = Map<string, unknown>;

/** Joins OpenRouter's `reasoning_details` deltas; they are sent back as if they had arrived in one piece. */
export class ReasoningDetails {
  readonly #details: Detail[] = [];

  get isEmpty(): boolean {
    return this.#details.length === 0;
  }

  /** The details as JSON. */
  get text(): string {
    return JSON.stringify(this.#details.map((detail) => Object.fromEntries(detail)));
  }

  /** Adds the details of one delta and returns their readable text. */
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

/** Appends the text; for other fields, such as a final signature, the newest value counts. */
function grow(last: Detail, next: UnknownRecord, field: string): void {
  const text = textOf(last.get(field)) + textOf(next[field]);
  for (const [name, value] of Object.entries(next)) if (value !== null && value !== undefined) last.set(name, value);
  last.set(field, text);
}

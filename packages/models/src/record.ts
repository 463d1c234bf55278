/** An object of unknown content: what JSON or a stream gives before it is narrowed. */
export type UnknownRecord = { readonly [key: string]: unknown };

/** Whether a value is an object, and neither null nor an array. */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value where it is an object, else an empty one. */
export function recordOf(value: unknown): UnknownRecord {
  return isRecord(value) ? value : {};
}

/** The value where it is a list, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value where it is a text, else an empty one. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

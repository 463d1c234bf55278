/** What a value is, in words such as "a string" or "an array". */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "an array";
  if (value instanceof Promise) return "a promise";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

import { plainLine } from "../plain-text.ts";
import type { ManifestChange } from "./manifest-changes.ts";

/** A change on one line, fit for a terminal: `changed: tool "greet": code`. */
export function changeLine({ type, name, from, to }: ManifestChange): string {
  const values = from === undefined || to === undefined ? "" : ` (${from} → ${to})`;
  return plainLine(`${type}: ${name}${values}`);
}

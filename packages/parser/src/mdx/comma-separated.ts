import type { Attribute } from "./attributes.ts";

/** The parts of a text with commas, without blanks around them; undefined where a part is empty or there is no text. */
export function commaSeparated({ value }: Attribute): readonly string[] | undefined {
  if (typeof value !== "string") return undefined;
  const parts = value.split(",").map((part) => part.trim());
  return parts.includes("") ? undefined : parts;
}

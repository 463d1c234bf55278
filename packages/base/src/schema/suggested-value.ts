import { closest } from "../text/suggestion.ts";
import type { Schema } from "./schema.ts";

/** The value that the author most likely meant. */
export interface SuggestedValue {
  /** As YAML. */
  readonly text: string;
  readonly hint: string;
}

interface Candidate extends SuggestedValue {
  readonly value: unknown;
}

/** An invalid value, and its text. */
interface RefusedValue {
  readonly value: unknown;
  readonly written: string;
  readonly schema: Schema;
}

/** The valid value that the author most likely meant; undefined if there is none. */
export function suggestedValue(refused: RefusedValue, fits: (value: unknown) => boolean): SuggestedValue | undefined {
  if (refused.written === "" || /[\r\n]/.test(refused.written)) return undefined;
  return candidates(refused).find(({ value }) => fits(value));
}

function candidates({ value, written, schema }: RefusedValue): readonly Candidate[] {
  switch (typeof value) {
    case "number":
      return [inQuotes(written)];
    case "boolean":
      return value ? [inQuotes(written)] : [candidate("off"), inQuotes(written)];
    case "string":
      return ofText(value, schema);
    default:
      return [];
  }
}

function inQuotes(written: string): Candidate {
  const text = JSON.stringify(written);
  return { value: written, text, hint: `put the value in quotes: ${text}` };
}

function candidate(value: unknown): Candidate {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { value, text, hint: `write \`${text}\`` };
}

function ofText(text: string, { examples = [] }: Schema): readonly Candidate[] {
  const near = closest(text, examples);
  const plain = plainValue(text.trim());
  return [
    ...(plain === undefined ? [] : [candidate(plain)]),
    ...(plain === false ? [candidate("off")] : []),
    ...(near === undefined ? [] : [{ ...candidate(near), hint: `did you mean \`${near}\`?` }]),
    ...(text.trim() === "" ? [] : [candidate([text])]),
  ];
}

/** The number or boolean that a text represents, if any. */
function plainValue(text: string): number | boolean | undefined {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (/^(?:yes|on|true)$/i.test(text)) return true;
  return /^(?:no|off|false)$/i.test(text) ? false : undefined;
}

import { schemaCheck } from "../arguments/schema-problems.ts";
import { closest } from "../suggestion.ts";
import type { TextEdit } from "../types/diagnostic.ts";
import type { JsonSchema } from "../types/json.ts";

/** A value that its schema refuses. */
interface RefusedValue {
  readonly value: unknown;
  readonly written: string;
  readonly schema: JsonSchema;
}

/** What was most likely meant instead. */
interface MeantValue {
  /** As YAML. */
  readonly text: string;
  readonly hint: string;
}

interface Candidate extends MeantValue {
  readonly value: unknown;
}

/** The value that the author most likely meant and that the schema accepts; undefined if there is none. */
export function meantValue(refused: RefusedValue): MeantValue | undefined {
  if (refused.written === "" || /[\r\n]/.test(refused.written)) return undefined;
  return candidates(refused).find(({ value }) => schemaCheck(refused.schema)(value).length === 0);
}

/** The `fix` of a problem, if there is one. */
export function withFix(fix: TextEdit | undefined): { readonly fix?: TextEdit } {
  return fix === undefined ? {} : { fix };
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

function ofText(text: string, { examples }: JsonSchema): readonly Candidate[] {
  const words = Array.isArray(examples) ? examples.filter((word) => typeof word === "string") : [];
  const near = closest(text, words);
  const plain = plainValue(text.trim());
  return [
    ...(plain === undefined ? [] : [candidate(plain)]),
    ...(plain === false ? [candidate("off")] : []),
    ...(near === undefined ? [] : [{ ...candidate(near), hint: `did you mean \`${near}\`?` }]),
    ...(text.trim() === "" ? [] : [candidate([text])]),
  ];
}

/** The number or truth value that a text means, if it means one. */
function plainValue(text: string): number | boolean | undefined {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (/^(?:yes|on|true)$/i.test(text)) return true;
  return /^(?:no|off|false)$/i.test(text) ? false : undefined;
}

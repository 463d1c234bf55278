import { isBoundedJsonObject, type JsonObject, jsonValue } from "@mdx-ai/base";

/**
 * Collects the pieces of a call's arguments and parses them, for all protocols. Servers may send a placeholder first, repeat the whole text
 * at the end, send all text so far with each piece, or wrap an object in a JSON string. Reads each character a few times at most.
 */
export class ArgumentPieces {
  /** All pieces, concatenated. */
  text = "";
  /** The newest piece while each piece starts with the previous one; undefined otherwise. */
  #cumulative: string | undefined = "";

  add(piece: string): void {
    this.text += piece;
    if (this.#cumulative === undefined || isPlaceholder(piece)) return;
    this.#cumulative = piece.startsWith(this.#cumulative) ? piece : undefined;
  }

  /** The arguments; undefined if the pieces are not an object. Empty text is an empty object. */
  read(): JsonObject | undefined {
    return readArguments(this.text) ?? readArguments(this.#cumulative ?? this.text) ?? lastOf(this.text);
  }
}

/** A short text that some servers send before the arguments. */
export const isPlaceholder = (text: string): boolean =>
  text.length <= MAX_PLACEHOLDER && /^\s*(?:|null|""|\{\s*\}|"\{\s*\}")\s*$/.test(text);

const MAX_PLACEHOLDER = 20;

/** Parses the object in a text. Unwraps JSON strings as deeply as servers were seen to nest them. */
function readArguments(text: string): JsonObject | undefined {
  if (text.trim() === "") return {};
  let value = jsonValue(text);
  for (let layer = 0; layer < MAX_LAYERS && typeof value === "string"; layer++) {
    value = value.trim() === "" ? {} : jsonValue(value);
  }
  if (value === null || (Array.isArray(value) && value.length === 0)) return {};
  return isBoundedJsonObject(value) ? value : undefined;
}

const MAX_LAYERS = 3;

/**
 * The last of several whole values, if it contains the earlier ones: placeholders, and objects that grew or were repeated. Contradicting
 * values are not arguments.
 */
function lastOf(text: string): JsonObject | undefined {
  const values = wholeValues(text).map(readArguments);
  const filled = values.filter((value) => value === undefined || Object.keys(value).length > 0);
  const [first = {}, ...more] = filled;
  if (filled.includes(undefined)) return undefined;
  return more.reduce((last, next) => (last && next && containsAll(next, last) ? next : undefined), first);
}

function containsAll(object: JsonObject, part: JsonObject): boolean {
  return Object.entries(part).every(
    ([name, value]) => Object.hasOwn(object, name) && JSON.stringify(object[name]) === JSON.stringify(value),
  );
}

/** Splits a text into consecutive JSON values. */
function wholeValues(text: string): readonly string[] {
  const values: string[] = [];
  let start = 0;
  let scan = new ValueScan();
  for (let index = 0; index < text.length; index++) {
    if (!scan.ends(text[index])) continue;
    values.push(text.slice(start, index + 1));
    start = index + 1;
    scan = new ValueScan();
  }
  const rest = text.slice(start).trim();
  // Nothing marks the end of `null`, so it stays at the start of the next value.
  return (rest === "" ? values : [...values, rest]).map((value) => value.replace(/^\s*null(?=\s*[{["])/, ""));
}

/** Finds the end of an object, list or string, character by character. */
class ValueScan {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;

  /** Whether a value ends with this character. */
  ends(character: string | undefined): boolean {
    if (this.#isInText) return this.#readText(character) && this.#depth === 0;
    if (character === '"') this.#isInText = true;
    else if (character === "{" || character === "[") this.#depth++;
    else if (character === "}" || character === "]") return --this.#depth === 0;
    return false;
  }

  /** Whether the text ends. */
  #readText(character: string | undefined): boolean {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === "\\") this.#isEscaped = true;
    else if (character === '"') this.#isInText = false;
    return !this.#isInText;
  }
}

import { isBoundedJsonObject, type JsonObject, jsonValue } from "@mdx-ai/base";

/**
 * Collects the text of a call's arguments from its pieces, and reads it in one place for all protocols. Servers send a
 * placeholder before the real pieces, the whole again at the end, all that came so far with each piece, or an object as a
 * text within a text. Each character is read a few times at most, whatever comes.
 */
export class ArgumentPieces {
  /** All pieces, one after the other. */
  text = "";
  /** The newest piece, as long as each one begins with the one before it; undefined once one did not. */
  #cumulative: string | undefined = "";

  add(piece: string): void {
    this.text += piece;
    if (this.#cumulative === undefined || isPlaceholder(piece)) return;
    this.#cumulative = piece.startsWith(this.#cumulative) ? piece : undefined;
  }

  /** The arguments; undefined if the pieces make no object. No text at all is an empty one. */
  read(): JsonObject | undefined {
    return readArguments(this.text) ?? readArguments(this.#cumulative ?? this.text) ?? lastOf(this.text);
  }
}

/** A short text that some servers send in place of arguments that are still to come. */
export const isPlaceholder = (text: string): boolean =>
  text.length <= MAX_PLACEHOLDER && /^\s*(?:|null|""|\{\s*\}|"\{\s*\}")\s*$/.test(text);

const MAX_PLACEHOLDER = 20;

/** The object in a text. A text within the text is opened, as often as servers were seen to pack it. */
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
 * The last of several whole values, if it holds what those before it held: placeholders, and objects that grew or came
 * again. Two that contradict each other are no arguments.
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

/** The JSON values that a text seems to consist of, one after the other. */
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
  // A `null` ends with no mark, so it is at the beginning of the value after it.
  return (rest === "" ? values : [...values, rest]).map((value) => value.replace(/^\s*null(?=\s*[{["])/, ""));
}

/** Finds the end of an object, a list or a text, character by character. */
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

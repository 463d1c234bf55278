import { isJsonList, type JsonSchema, type JsonValue } from "@mdx-ai/base";
import { linearPattern, patternTokens, UnsupportedPatternError } from "./linear-pattern.ts";

/** Steps of an ordinary match that take no time worth mentioning. */
const CHEAP = 1_000_000;

/** A text so short that any pattern matches it quickly. */
const SHORT = 16;

/**
 * Bounds the time of a schema's patterns. For a value, returns a schema in which each slow pattern is replaced by one that matches
 * the same texts of that value. The texts are matched in bounded time; a text that is not matched by then does not match. Returns
 * the given schema if no pattern might be slow.
 */
export function boundedPatterns(schema: JsonSchema): (value: unknown) => JsonSchema {
  // At any other pattern the validator throws.
  const patterns = [...new Set(patternsIn(schema))].filter((pattern) => patternProblem(pattern) === undefined);
  return (value) => {
    if (patterns.length === 0) return schema;
    const texts = [...new Set(textsIn(value))];
    const longest = Math.max(0, ...texts.map(({ length }) => length));
    const slow = patterns.filter((pattern) => mayBeSlow(pattern, longest));
    if (slow.length === 0) return schema;
    return replaced(schema, new Map(slow.map((pattern) => [pattern, boundedPattern(pattern, texts)])));
  };
}

/** Of the given texts, matches those that a pattern matches. */
function boundedPattern(pattern: string, texts: readonly string[]): string {
  const fitting = texts.filter(matcher(pattern)).map((text) => RegExp.escape(text));
  return fitting.length === 0 ? "(?!)" : `^(?:${fitting.join("|")})$`;
}

/** Whether a text has a match; a long text has none of a pattern that cannot run in linear time. */
export function matcher(pattern: string): (text: string) => boolean {
  try {
    return linearPattern(pattern);
  } catch (error) {
    if (!(error instanceof UnsupportedPatternError)) throw error;
    const whole = new RegExp(pattern, "u");
    return (text) => text.length <= SHORT && whole.test(text);
  }
}

/** Whether an ordinary match, which backtracks, might be slow for a text of this length. */
export function mayBeSlow(pattern: string, length: number): boolean {
  const tokens = patternTokens(pattern);
  let steps = length + 1;
  for (const [index, token] of tokens.entries()) {
    const isRepeat = token === "*" || token === "+" || /^\{\d+(,\d*)?\}$/.test(token);
    if (isRepeat && tokens[index - 1] === ")") return length > 0;
    if (token === "*" || token === "+" || /^\{\d+,\d*\}$/.test(token)) steps *= length + 1;
    if (token === "?" || token === "|") steps *= 2;
    if (/^\\[1-9k]/.test(token)) steps *= length + 1;
  }
  return steps > CHEAP;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

/** Keywords whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/** Keywords whose values are schemas by names that the author chose. */
const NAMED: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

function patternsIn(schema: JsonValue): readonly string[] {
  const patterns: string[] = [];
  withPatterns(schema, (pattern) => {
    patterns.push(pattern);
    return pattern;
  });
  return patterns;
}

/** Why a text is no regular expression; undefined if it is one. */
export function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "u");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^Invalid regular expression: /, "") : String(error);
  }
}

const replaced = (schema: JsonSchema, bounded: ReadonlyMap<string, string>): JsonSchema =>
  membersOf(schema, (pattern) => bounded.get(pattern) ?? pattern);

/** A schema with other patterns. */
function withPatterns(schema: JsonValue, change: (pattern: string) => string): JsonValue {
  if (isJsonList(schema)) return schema.map((inner) => withPatterns(inner, change));
  return typeof schema === "object" && schema !== null ? membersOf(schema, change) : schema;
}

function membersOf(schema: JsonSchema, change: (pattern: string) => string): JsonSchema {
  const entries = Object.entries(schema).map(([name, value]): [string, JsonValue] => {
    if (name === "pattern" && typeof value === "string") return [name, change(value)];
    if (DATA.has(name) || typeof value !== "object" || value === null) return [name, value];
    if (!NAMED.has(name) || isJsonList(value)) return [name, withPatterns(value, change)];
    const inner = Object.entries(value).map(([key, member]): [string, JsonValue] => [
      name === "patternProperties" ? change(key) : key,
      withPatterns(member, change),
    ]);
    return [name, Object.fromEntries(inner)];
  });
  return Object.fromEntries(entries);
}

/**
 * Searches texts for a pattern with the flag u, in a time that grows with their length. Throws `SyntaxError` for a pattern that
 * is not valid, and `UnsupportedPatternError` at look-around, backreferences and modifiers.
 */
export function boundedSearch(
  pattern: string,
  { ignoresCase = false }: { readonly ignoresCase?: boolean } = {},
): (text: string) => boolean {
  const whole = new RegExp(pattern, ignoresCase ? "iu" : "u");
  const linear = linearPattern(pattern, { ignoresCase });
  let checkedLength = 0;
  return (text) => {
    if (text.length > checkedLength && mayBeSlow(pattern, text.length)) return linear(text);
    checkedLength = Math.max(checkedLength, text.length);
    return whole.test(text);
  };
}

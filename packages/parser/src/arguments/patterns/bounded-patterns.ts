import { isJsonList } from "../../record.ts";
import type { JsonSchema, JsonValue } from "../../types/json.ts";
import { patternProgram, patternTokens, UnsupportedPatternError } from "./pattern-program.ts";
import { runProgram, type StepBudget } from "./run-program.ts";

/** Steps of an ordinary match that take no time worth mentioning. */
const CHEAP = 1_000_000;

/** Steps for all texts of one value, some hundredths of a second. */
const MOST_STEPS = 1_000_000;

/** A text so short that any pattern matches it quickly. */
const SHORT = 16;

/**
 * Bounds the time of a schema's patterns. For a value, returns a schema in which each slow pattern is replaced by one that matches
 * the same texts of that value. The texts are matched in bounded time; a text that is not matched by then does not match. Returns
 * the given schema if no pattern might be slow.
 */
export function boundedPatterns(schema: JsonSchema): (value: unknown) => JsonSchema {
  const patterns = [...new Set(patternsIn(schema))].filter(isPattern);
  return (value) => {
    if (patterns.length === 0) return schema;
    const texts = [...new Set(textsIn(value))];
    const longest = Math.max(0, ...texts.map(({ length }) => length));
    const slow = patterns.filter((pattern) => mayBeSlow(pattern, longest));
    if (slow.length === 0) return schema;
    const budget: StepBudget = { left: MOST_STEPS };
    return replaced(schema, new Map(slow.map((pattern) => [pattern, boundedPattern(pattern, texts, budget)])));
  };
}

/** Of the given texts, matches those that a pattern matches. */
function boundedPattern(pattern: string, texts: readonly string[], budget: StepBudget): string {
  const fits = matcher(pattern, budget);
  const fitting = texts.filter(fits).map((text) => RegExp.escape(text));
  return fitting.length === 0 ? "(?!)" : `^(?:${fitting.join("|")})$`;
}

function matcher(pattern: string, budget: StepBudget): (text: string) => boolean {
  try {
    const program = patternProgram(pattern);
    return (text) => runProgram(program, text, budget);
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

/** At any other the validator throws. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
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

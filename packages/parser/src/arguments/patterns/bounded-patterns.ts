import { isJsonList, type JsonSchema, type JsonValue } from "@mdx-ai/base";
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
  // At any other pattern the validator throws.
  const patterns = [...new Set(patternsIn(schema))].filter((pattern) => patternProblem(pattern) === undefined);
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

/** Steps for all texts that an ordinary match might search slowly, some seconds. */
const MOST_SEARCH_STEPS = 20_000_000;

/**
 * Searches texts for a pattern with the flag u, in bounded time for all texts together: undefined once that is used up.
 * Throws `SyntaxError` for a pattern that is not valid, and `UnsupportedPatternError` at backreferences, lookbehind and modifiers.
 */
export function boundedSearch(
  pattern: string,
  { ignoresCase = false, steps = MOST_SEARCH_STEPS }: { readonly ignoresCase?: boolean; readonly steps?: number } = {},
): (text: string) => boolean | undefined {
  const flags = ignoresCase ? "iu" : "u";
  const whole = new RegExp(pattern, flags);
  const budget: StepBudget = { left: steps };
  const program = patternProgram(pattern, flags);
  let longestQuick = 0;
  return (text) => {
    if (text.length <= longestQuick || !mayBeSlow(pattern, text.length)) {
      longestQuick = Math.max(longestQuick, text.length);
      return whole.test(text);
    }
    const found = runProgram(program, text, budget);
    return budget.left < 0 ? undefined : found;
  };
}

import { shortened } from "../visible-text.ts";
import type { SchemaProblem } from "./schema-problems.ts";

/** Characters of a value that are shown. */
const longest = 200;

/** What a schema expects of a value and what it found, in words that follow "must be" and "not". */
export interface Expectation {
  readonly expected: string;
  readonly found: string;
}

/** What a limit, a pattern or a choice expects; undefined for other keywords, such as `type`, which have texts of their own. */
export function expectationOf({ keyword, expected, found }: SchemaProblem): Expectation | undefined {
  if (expected === undefined) return undefined;
  const wanted = wantedValue(keyword, expected);
  return wanted === undefined ? wantedSize(keyword, expected, found) : { expected: wanted, found: shown(found) };
}

function wantedValue(keyword: string, expected: unknown): string | undefined {
  switch (keyword) {
    case "enum":
      return `one of ${shown(expected)}`;
    case "const":
      return shown(expected);
    case "minimum":
      return `at least ${expected}`;
    case "maximum":
      return `at most ${expected}`;
    case "exclusiveMinimum":
      return `above ${expected}`;
    case "exclusiveMaximum":
      return `below ${expected}`;
    case "multipleOf":
      return `a multiple of ${expected}`;
    case "pattern":
      return `a text that matches \`${shortened(String(expected), longest)}\``;
    case "format":
      return `a text of the format ${shown(expected)}`;
    case "uniqueItems":
      return "an array of items that all differ";
    default:
      return undefined;
  }
}

function wantedSize(keyword: string, expected: unknown, found: unknown): Expectation | undefined {
  const match = /^(min|max)(Length|Items|Properties)$/.exec(keyword);
  if (match === null) return undefined;
  const amount = `${match[1] === "min" ? "at least" : "at most"} ${expected}`;
  const ending = expected === 1 ? "" : "s";
  switch (match[2]) {
    case "Length":
      return { expected: `a text of ${amount} character${ending}`, found: `one of ${[...String(found)].length}` };
    case "Items":
      return { expected: `an array of ${amount} item${ending}`, found: `one of ${sizeOf(found)}` };
    default:
      return { expected: `an object of ${amount} key${ending}`, found: `one of ${sizeOf(found)}` };
  }
}

function sizeOf(value: unknown): number {
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

function shown(value: unknown): string {
  return shortened(JSON.stringify(value) ?? "nothing", longest);
}

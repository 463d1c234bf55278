import { type JsonSchema, shortened } from "@mdx-ai/base";
import { keysOf, schemaValueAt, valueAt } from "./json-pointer.ts";
import { boundedPatterns } from "./patterns/bounded-patterns.ts";

/** Keywords that only pass on what failed below them. */
const CONTAINERS: ReadonlySet<string> = new Set([
  ..."properties patternProperties additionalProperties unevaluatedProperties propertyNames dependentSchemas".split(
    " ",
  ),
  ..."items prefixItems additionalItems unevaluatedItems contains".split(" "),
  ..."allOf anyOf oneOf if then else $ref $dynamicRef $recursiveRef".split(" "),
]);

/** Finds all problems of a value with one schema. Throws if the schema itself cannot be used. */
export type SchemaCheck = (value: unknown) => readonly SchemaProblem[];

/**
 * The check of a JSON Schema 2020-12, made ready at its first use. Its patterns take bounded time. The validator is loaded by `require`, because whether
 * a value fits is asked without waiting.
 */
export function schemaCheck(schema: JsonSchema): SchemaCheck {
  let validator: Validator | undefined;
  const boundedFor = boundedPatterns(schema);
  return (value) => {
    const bounded = boundedFor(value);
    if (bounded === schema) validator ??= openValidator(schema);
    const ready = bounded === schema && validator ? validator : openValidator(bounded);
    const { errors } = validated(value, ready, bounded);
    const problems = withJoinedTypes(
      errors.map(({ keyword, instanceLocation, keywordLocation, error }) => ({
        keyword,
        keywordLocation,
        path: keysOf(instanceLocation),
        expected: schemaValueAt(schema, keysOf(keywordLocation)),
        found: valueAt(value, keysOf(instanceLocation)),
        message: error,
      })),
    );
    const leaves = problems.filter(({ keyword }) => !CONTAINERS.has(keyword));
    return withoutEchoes(leaves.length > 0 ? leaves : problems);
  };
}

type Validator = import("@cfworker/json-schema").Validator;

/** The validator cannot name a key that holds half of a surrogate pair: U+FFFD stands for it. */
function validated(value: unknown, validator: Validator, schema: JsonSchema): ReturnType<Validator["validate"]> {
  try {
    return validator.validate(value);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return openValidator(JSON.parse(wellFormed(schema))).validate(JSON.parse(wellFormed(value)));
  }
}

/** A JSON value as text. JSON writes half of a surrogate pair as an escape, and nothing else of that form. */
const wellFormed = (value: unknown): string =>
  JSON.stringify(value).replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (found) => (found === "\\\\" ? found : "\\ufffd"));

/** The problems of a value; none if the schema itself cannot be used, which is reported elsewhere. */
export function problemsIfValid(schema: JsonSchema, value: unknown): readonly SchemaProblem[] {
  try {
    return schemaCheck(schema)(value);
  } catch {
    return [];
  }
}

/** A copy, since the validator changes its schema and the schema of a tool is sent to models unchanged. */
function openValidator(schema: JsonSchema): Validator {
  const { Validator }: typeof import("./validator.ts") = require("./validator.ts");
  return new Validator(structuredClone({ ...schema }), "2020-12", false);
}

/** One part of a value that does not fit a schema. */
export interface SchemaProblem {
  /** The keyword of JSON Schema that failed, such as "type"; "false" if the schema allows nothing. */
  readonly keyword: string;
  /** The location in the schema, as the validator reports it: a JSON pointer that passes through references. */
  readonly keywordLocation: string;
  /** Keys from the checked value down to the one that failed, such as `["items", "0"]`; empty for the value itself. */
  readonly path: readonly string[];
  /** The value of the keyword in the schema; undefined if it is not known. */
  readonly expected: unknown;
  /** The value that failed. */
  readonly found: unknown;
  /** The validator's own words. */
  readonly message: string;
}

/**
 * The problems, with those of alternatives that only differ in type joined: a value that is neither a string nor null is one
 * mistake, not two. The validator reports the problems of alternatives right after that of `anyOf` or `oneOf`.
 */
function withJoinedTypes(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
  const joined: SchemaProblem[] = [];
  for (let index = 0; index < problems.length; index++) {
    const problem = problems[index];
    if (problem === undefined) continue;
    const types = alternativeTypes(problem, problems, index + 1);
    if (types.length === 0) joined.push(problem);
    else joined.push({ ...problem, keyword: "type", expected: [...new Set(types.flat())] });
    index += types.length;
  }
  return joined;
}

/**
 * The problems without those that call a value unknown because something in it failed: what failed counts as not evaluated,
 * which `unevaluatedProperties` and `unevaluatedItems` refuse.
 */
function withoutEchoes(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
  const isUnknown = ({ keyword }: SchemaProblem): boolean => keyword === "false";
  if (!problems.some(isUnknown)) return problems;
  const paths = problems.filter((problem) => !isUnknown(problem)).flatMap(({ path }) => pathsAbove(path));
  const failed = new Set(paths);
  return problems.filter((problem) => !(isUnknown(problem) && failed.has(JSON.stringify(problem.path))));
}

function pathsAbove(path: readonly string[]): readonly string[] {
  return path.map((_, index) => JSON.stringify(path.slice(0, index + 1)));
}

/** The type that each alternative expects, if only the type of the value itself failed; else none. */
function alternativeTypes(parent: SchemaProblem, problems: readonly SchemaProblem[], first: number): unknown[] {
  if (parent.keyword !== "anyOf" && parent.keyword !== "oneOf") return [];
  const types: unknown[] = [];
  for (let index = first; index < problems.length; index++) {
    const problem = problems[index];
    if (!problem?.keywordLocation.startsWith(`${parent.keywordLocation}/`)) break;
    if (problem.keyword !== "type" || problem.path.length !== parent.path.length) return [];
    types.push(problem.expected);
  }
  return types;
}

/** Characters of a value that are shown. */
const MAX_VALUE = 200;

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
      return `a text that matches \`${shortened(String(expected), MAX_VALUE)}\``;
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
  return shortened(JSON.stringify(value) ?? "nothing", MAX_VALUE);
}

import { isBoundedJsonObject, isJsonObject, type JsonObject, type JsonValue, jsonValue } from "@mdx-ai/base";
import type { SchemaProblem } from "@mdx-ai/parser";

/** Finds the mistakes of arguments against a schema. Throws if the schema cannot be used. */
export type ValuesCheck = (args: JsonObject) => readonly SchemaProblem[];

/** How many times values inside converted values are checked again. */
const ROUNDS = 4;

/** The most mistakes that are corrected; more are not a slip. */
const MAX_VALUES = 1_000;

/**
 * The arguments with each invalid value converted to the only valid reading: a number in quotes, a list as JSON text, a single
 * item without its list, null for an optional member. Only the check decides what is valid. Valid and ambiguous values stay.
 * Throws as the check does.
 */
export function understoodValues(args: JsonObject, check: ValuesCheck): JsonObject {
  let current = args;
  for (let round = 0; round < ROUNDS; round++) {
    const mistakes = mistakesIn(current, check(current));
    if (mistakes.length === 0 || mistakes.length > MAX_VALUES) return current;
    const changes = chosenChanges(current, mistakes, check);
    if (changes.length === 0) return current;
    current = changed(current, changes);
  }
  return current;
}

/** A value of a wrong type, or none of the allowed choices. */
interface Mistake {
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** Whether it is a member of an object, and so may be left out. */
  readonly isMember: boolean;
  readonly problems: readonly SchemaProblem[];
}

const KEYWORDS: readonly string[] = ["type", "enum", "const", "false"];

/** The outermost mistakes. */
function mistakesIn(args: JsonObject, problems: readonly SchemaProblem[]): readonly Mistake[] {
  const byPath = Map.groupBy(
    problems.filter(({ keyword, path }) => path.length > 0 && KEYWORDS.includes(keyword)),
    ({ path }) => JSON.stringify(path),
  );
  return [...byPath.values()].flatMap((own) => {
    const path = own[0]?.path ?? [];
    const value = valueAt(args, path);
    const isInner = path.some((_, end) => end > 0 && byPath.has(JSON.stringify(path.slice(0, end))));
    const isMember = !Array.isArray(valueAt(args, path.slice(0, -1)));
    return value === undefined || isInner ? [] : [{ path, value, isMember, problems: own }];
  });
}

/** A possible reading of a value. */
interface Reading {
  /** Undefined if the value is left out. */
  readonly value: JsonValue | undefined;
  /** Among the valid readings, only the ones with the lowest rank count. */
  readonly rank: number;
  /** Whether the value became the only item of a list. */
  readonly isWrapped?: true;
}

interface Change {
  readonly path: readonly string[];
  readonly value: JsonValue | undefined;
}

/** The only valid reading for each mistake, if there is just one. Tries all mistakes together, reading by reading. */
function chosenChanges(args: JsonObject, mistakes: readonly Mistake[], check: ValuesCheck): readonly Change[] {
  const tried = mistakes.map((mistake) => ({ ...mistake, readings: readingsOf(mistake) }));
  const fitting = new Map<Mistake, Reading[]>(tried.map((mistake) => [mistake, []]));
  const most = Math.max(...tried.map(({ readings }) => readings.length));
  for (let index = 0; index < most; index++) {
    const now = tried.flatMap(({ readings, ...mistake }, at) => {
      const reading = readings[index];
      return reading === undefined ? [] : [{ path: mistake.path, value: reading.value, reading, key: tried[at] }];
    });
    const problems = check(changed(args, now));
    const failed = new Set(problems.flatMap(failedPaths));
    for (const { path, reading, key } of now) {
      const paths = reading.isWrapped ? [path, [...path, "0"]] : [path];
      const isFitting = !paths.some((each) => failed.has(JSON.stringify(each)));
      if (key !== undefined && isFitting) fitting.get(key)?.push(reading);
    }
  }
  return tried.flatMap((mistake) => {
    const value = onlyValue(fitting.get(mistake) ?? []);
    return value === undefined ? [] : [{ path: mistake.path, value: value.value }];
  });
}

/** The paths of values that a problem calls wrong or missing. */
function failedPaths({ keyword, path, expected }: SchemaProblem): readonly string[] {
  if (keyword === "required" && Array.isArray(expected)) {
    return expected.map((name) => JSON.stringify([...path, String(name)]));
  }
  return KEYWORDS.includes(keyword) ? [JSON.stringify(path)] : [];
}

function onlyValue(readings: readonly Reading[]): Pick<Reading, "value"> | undefined {
  const lowest = Math.min(...readings.map(({ rank }) => rank));
  const best = readings.filter(({ rank }) => rank === lowest);
  const distinct = new Set(best.map(({ value }) => JSON.stringify(value)));
  return distinct.size === 1 ? best[0] : undefined;
}

function readingsOf({ value, isMember, problems }: Mistake): readonly Reading[] {
  const leftOut = isMember ? [{ value: undefined, rank: 4 }] : [];
  // The schema allows no such member.
  if (problems.some(({ keyword }) => keyword === "false")) return value === null ? leftOut : [];
  const converted = conversions(value, problems);
  return [
    ...converted.map((each) => ({ value: each, rank: 0 })),
    ...(isItem(value) ? [{ value: [value], rank: 1, isWrapped: true as const }] : []),
    ...converted.filter(isItem).map((each) => ({ value: [each], rank: 2, isWrapped: true as const })),
    ...(saysNothing(value, problems) ? [{ value: null, rank: 3 }, ...leftOut] : []),
  ];
}

function conversions(value: JsonValue, problems: readonly SchemaProblem[]): readonly JsonValue[] {
  if (typeof value === "string") return [...textReadings(value), ...choicesLike(value, problems)];
  // A decimal may have lost zeros, as in version 3.10.
  if (typeof value === "number") return Number.isSafeInteger(value) ? [String(value)] : [];
  if (typeof value === "boolean") return [String(value)];
  const [first, ...others] = Array.isArray(value) ? value : [];
  return first !== undefined && others.length === 0 ? [first] : [];
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The value of a text as JSON, or in Python's notation. */
function textReadings(given: string): readonly JsonValue[] {
  const text = given.trim();
  if (/^(?:true|false)$/i.test(text)) return [text.toLowerCase() === "true"];
  if (NUMBER.test(text)) {
    const number = Number(text);
    return Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? [number] : [];
  }
  if (!/^(?:\[.*\]|\{.*\})$/s.test(text)) return [];
  const read: unknown = { value: jsonValue(text) };
  const { value } = isBoundedJsonObject(read) ? read : {};
  return value === undefined ? [] : [value];
}

/** The choices of a schema that differ from a text only in case and word separators. */
function choicesLike(text: string, problems: readonly SchemaProblem[]): readonly string[] {
  const choices = problems.flatMap(({ keyword, expected }) =>
    keyword === "enum" && Array.isArray(expected) ? expected.filter((choice) => typeof choice === "string") : [],
  );
  const same = choices.filter((choice) => foldedName(choice) === foldedName(text));
  return foldedName(text) === "" ? [] : [...new Set(same)];
}

/** A name without case and word separators. */
export const foldedName = (name: string): string =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Whether a value may be the only item of a list. A text with commas or lines may be several items, and an empty one none. */
function isItem(value: JsonValue): boolean {
  if (typeof value === "string") return value.trim() !== "" && !/[,\n]/.test(value);
  return isJsonObject(value) ? Object.keys(value).length > 0 : value !== null && !Array.isArray(value);
}

/** Whether a value may mean that it is left out: null, or a text such as "none" for a parameter that takes no text. */
function saysNothing(value: JsonValue, problems: readonly SchemaProblem[]): boolean {
  if (value === null) return true;
  const isNoText = problems.every(({ keyword }) => keyword === "type");
  return isNoText && typeof value === "string" && /^(?:null|none|undefined)?$/i.test(value.trim());
}

function valueAt(args: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = args;
  for (const key of path) value = memberOf(value, key);
  return value;
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (isList(value)) return value[Number(key)];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

const isList = (value: unknown): value is readonly JsonValue[] => Array.isArray(value);

/** The arguments with values replaced at some paths. */
function changed(args: JsonObject, changes: readonly Change[]): JsonObject {
  const copy = structuredClone(args);
  for (const { path, value } of changes) {
    const parent = valueAt(copy, path.slice(0, -1));
    const key = path.at(-1);
    if (typeof parent !== "object" || parent === null || key === undefined) continue;
    if (value === undefined) Reflect.deleteProperty(parent, key);
    else Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}

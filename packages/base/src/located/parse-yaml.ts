import { isAlias, isMap, isScalar, isSeq, parseDocument, type YAMLParseError, type YAMLWarning } from "yaml";
import { isRecord, type UnknownRecord } from "../json/json.ts";
import type { Located, Path, TextRange } from "./located.ts";

type ParsedDocument = ReturnType<typeof parseDocument>;

/** A mistake in YAML, at an offset of its text. */
export interface YamlProblem {
  readonly offset: number;
  readonly message: string;
  /** The kind of mistake, in words that quote no part of the text. */
  readonly code: string;
}

/** A YAML map with the ranges of its parts. Its value is empty if the YAML is broken or not a map. */
export interface YamlMap extends Located<UnknownRecord> {
  /** In the order of the text, at most a hundred. */
  readonly problems: readonly YamlProblem[];
  /** Ambiguous parts, such as an unknown tag; at most a hundred. */
  readonly warnings: readonly YamlProblem[];
}

/** As `readYamlMap`. */
export function parseYamlMap(text: string): YamlMap {
  const written = ({ start, end }: TextRange): string => text.slice(start, end);
  try {
    // A level below "error" ignores a second document; the library's own search for repeated keys is quadratic.
    return { ...mapOf(parseDocument(text, { prettyErrors: false, logLevel: "error", uniqueKeys: false })), written };
  } catch (error) {
    // Thousands of nested levels overflow the stack of the library.
    const message = error instanceof Error ? error.message : String(error);
    const problems = [{ offset: 0, message, code: "too deep" }];
    return { value: {}, problems, warnings: [], range: () => ({ start: 0, end: 0 }), written };
  }
}

function mapOf(document: ParsedDocument): Omit<YamlMap, "written"> {
  const { contents } = document;
  const entryOf = entryFinder();
  const range: YamlMap["range"] = (path, of) => rangeIn(contents, path, of, entryOf);
  const first = document.errors.toSorted(({ pos: [one] }, { pos: [other] }) => one - other).slice(0, MAX_PROBLEMS);
  const errors = once([...first.map((error) => problemOf(error, contents)), ...secondKeys(document)]);
  const warnings = document.warnings.slice(0, MAX_PROBLEMS).map((warning) => problemOf(warning, contents));
  if (errors.length > 0) return { value: {}, problems: errors, warnings, range };
  const value = jsonValue(() => document.toJS({ maxAliasCount: 100 }));
  if (value instanceof Error) {
    const offset = unknownAlias(document, value) ?? 0;
    return { value: {}, problems: [{ offset, message: value.message, code: "alias" }], warnings, range };
  }
  if (isRecord(value)) return { value, problems: [], warnings, range };
  const isNothing = value === null || value === undefined;
  const problems = isNothing
    ? []
    : [{ offset: startOf(contents), message: "Not a map of keys and values", code: "not a map" }];
  return { value: {}, problems, warnings, range };
}

/** An unclosed quote is reported where it opens; the parser reports the end of the text. */
function problemOf(error: YAMLParseError | YAMLWarning, contents: unknown): YamlProblem {
  const [offset] = error.pos;
  const quote = /^Missing closing (["'])quote/.exec(error.message)?.[1];
  const code = error.code.toLowerCase().replaceAll("_", " ");
  if (quote === undefined) return { offset, message: error.message, code };
  return { offset: openingQuote(contents, offset) ?? offset, message: `Missing closing ${quote}`, code };
}

function secondKeys({ contents }: ParsedDocument): readonly YamlProblem[] {
  return [...nodesOf(contents)].flatMap((node) => {
    if (!isMap(node)) return [];
    const seen = new Set<unknown>();
    const second = node.items.filter(({ key }) => isScalar(key) && seen.size === seen.add(key.value).size);
    return second.map(({ key }) => ({
      offset: startOf(key),
      message: "Map keys must be unique",
      code: "duplicate key",
    }));
  });
}

function openingQuote(contents: unknown, end: number): number | undefined {
  let opening: number | undefined;
  for (const node of nodesOf(contents)) {
    const isQuoted = isScalar(node) && (node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE");
    if (isQuoted && startOf(node) < end) opening = Math.max(opening ?? 0, startOf(node));
  }
  return opening;
}

/** The offset of the undefined alias that a message of the library names. */
function unknownAlias({ contents }: ParsedDocument, { message }: Error): number | undefined {
  if (!message.startsWith("Unresolved alias")) return undefined;
  for (const node of nodesOf(contents)) if (isAlias(node) && message.endsWith(`: ${node.source}`)) return startOf(node);
  return undefined;
}

/** All nodes in text order. The library's walk needs memory quadratic in the depth. */
function* nodesOf(contents: unknown): Generator<unknown> {
  const waiting = [contents];
  while (waiting.length > 0) {
    const node = waiting.pop();
    yield node;
    const inner: readonly unknown[] = isMap(node)
      ? node.items.flatMap(({ key, value }) => [key, value])
      : isSeq(node)
        ? node.items
        : [];
    for (let index = inner.length - 1; index >= 0; index--) waiting.push(inner[index]);
  }
}

/** One mistake, such as a line of prose, may make a problem of all that follows. */
const MAX_PROBLEMS = 100;

/** Keeps the first of several problems at one offset, since they result from one mistake, and no more than can be of use. */
function once(problems: readonly YamlProblem[]): readonly YamlProblem[] {
  const first = new Map<number, YamlProblem>();
  for (const problem of problems) if (!first.has(problem.offset)) first.set(problem.offset, problem);
  return [...first.values()].sort((left, right) => left.offset - right.offset).slice(0, MAX_PROBLEMS);
}

/** The value as JSON: no cycles, no NaN, no lone surrogates. */
function jsonValue(convert: () => unknown): unknown {
  try {
    const json = JSON.stringify(convert()) ?? "null";
    if (/\\u[dD][89a-fA-F]/.test(json)) return new Error("Half of a character");
    return JSON.parse(json);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function rangeIn(contents: unknown, path: Path, of: "key" | "value", entryOf: EntryFinder): TextRange {
  let node = contents;
  let range = { start: startOf(contents), end: startOf(contents) };
  for (const [depth, key] of path.entries()) {
    const entry = entryOf(node, key);
    if (entry === undefined) return { ...range, end: range.start };
    const wantsKey = of === "key" && depth === path.length - 1;
    range = rangeOf(wantsKey || !hasRange(entry.value) ? entry.key : entry.value);
    node = entry.value;
  }
  return range;
}

function rangeOf(node: unknown): TextRange {
  return hasRange(node) ? { start: node.range[0], end: node.range[1] } : { start: 0, end: 0 };
}

interface Entry {
  readonly key: unknown;
  readonly value: unknown;
}

/** Finds the entry of a key of a map, or of an index of a list. */
type EntryFinder = (node: unknown, key: string) => Entry | undefined;

/** Scans the keys of each map once. */
function entryFinder(): EntryFinder {
  const known = new Map<unknown, ReadonlyMap<string, Entry>>();
  return (node, key) => {
    if (isMap(node)) {
      const entries = known.get(node) ?? entriesOf(node.items);
      known.set(node, entries);
      return entries.get(key);
    }
    const value: unknown = isSeq(node) ? node.items[Number(key)] : undefined;
    return value === undefined ? undefined : { key: value, value };
  };
}

function entriesOf(items: readonly Entry[]): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { key, value } of items) if (isScalar(key)) entries.set(String(key.value), { key, value });
  return entries;
}

function startOf(node: unknown): number {
  return hasRange(node) ? node.range[0] : 0;
}

function hasRange(node: unknown): node is { readonly range: readonly [number, number, number] } {
  return typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range);
}

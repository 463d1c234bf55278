import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { JsonValue } from "../json/json.ts";
import { quoted } from "../text/quoted.ts";
import type { Located, TextRange } from "./located.ts";

/** A mistake in a JSON text, at an offset. */
interface JsonProblem {
  readonly offset: number;
  readonly message: string;
}

/** JSON with the ranges of its parts. */
export interface LocatedJson extends Located<JsonValue> {
  readonly node: Node;
}

const deepest = 100;
const strict = { disallowComments: true, allowTrailingComma: false } as const;

/** How JSON is read. */
export interface JsonDialect {
  /** Whether comments and commas at the end of lists are all right. Default false. */
  readonly hasComments?: boolean;
}

/** Reads JSON strictly: no comments, no trailing commas, each key of an object once. Never throws. */
export function readLocatedJson(text: string, { hasComments = false }: JsonDialect = {}): LocatedJson | JsonProblem {
  const errors: ParseError[] = [];
  try {
    const node = parseTree(text, errors, hasComments ? { allowTrailingComma: true } : strict);
    const error = mostHelpful(errors);
    if (error !== undefined) return syntaxProblem(error, text);
    if (node === undefined) return { offset: 0, message: "unexpected end of the JSON, expected a value" };
    const value: JsonValue = hasComments ? getNodeValue(node) : JSON.parse(text);
    return firstProblem(node, 0) ?? { value, node, ...rangesOf(node, text) };
  } catch (error) {
    // Thousands of nested levels, or text that only the stricter of the two parsers rejects.
    const reason = error instanceof RangeError ? "it is nested too deeply" : String(error);
    return { offset: 0, message: `cannot parse the JSON (${reason})` };
  }
}

/** The first error. An unknown symbol in place of a key comes first, though the parser reports it later. */
function mostHelpful([first, second]: readonly ParseError[]): ParseError | undefined {
  if (first === undefined || second === undefined) return first;
  const isKey =
    printParseErrorCode(first.error) === "InvalidSymbol" &&
    printParseErrorCode(second.error) === "PropertyNameExpected";
  return isKey ? { ...first, error: second.error } : first;
}

const expectations: ReadonlyMap<string, string> = new Map([
  ["PropertyNameExpected", "a key in double quotes"],
  ["ValueExpected", "a value"],
  ["ColonExpected", "`:` after the key"],
  ["CommaExpected", "`,` before it"],
  ["CloseBraceExpected", "`}`"],
  ["CloseBracketExpected", "`]`"],
  ["EndOfFileExpected", "nothing after the value"],
  ["InvalidCommentToken", "no comments"],
  ["UnexpectedEndOfComment", "no comments"],
  ["UnexpectedEndOfString", 'a closing `"` on the same line'],
  ["UnexpectedEndOfNumber", "a whole number"],
  ["InvalidNumberFormat", "a number"],
  ["InvalidUnicode", "four hexadecimal digits after `\\u`"],
  ["InvalidEscapeCharacter", 'one of `\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u`'],
  ["InvalidCharacter", "an escape such as `\\n`"],
]);

function syntaxProblem({ error, offset, length }: ParseError, text: string): JsonProblem {
  const seen = text.slice(offset, offset + Math.max(1, length)).trim();
  const expected = expectations.get(printParseErrorCode(error)) ?? "a value, with strings in double quotes";
  const what = seen === "" ? "end of the JSON" : quoted(seen);
  return { offset, message: `unexpected ${what}, expected ${expected}` };
}

/** The first value that cannot be represented: a duplicate key, a number out of range, or too deep a nesting. */
function firstProblem(node: Node, depth: number): JsonProblem | undefined {
  const { offset, children = [] } = node;
  if (depth > deepest) return { offset, message: `the JSON is nested more than ${deepest} levels deep` };
  if (node.type === "number" && !Number.isFinite(node.value)) {
    return { offset, message: "the number is too large for JSON" };
  }
  const keys = new Set<unknown>();
  for (const child of children) {
    const [key] = child.type === "property" ? (child.children ?? []) : [];
    if (key !== undefined && keys.has(key.value)) {
      return { offset: key.offset, message: `second key ${quoted(String(key.value))}, expected each key once` };
    }
    keys.add(key?.value);
    const problem = firstProblem(child, child.type === "property" ? depth : depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function rangesOf(root: Node, text: string): Pick<LocatedJson, "range" | "written"> {
  return {
    range: (path, of) => {
      const value = nodeAt(root, path);
      const { offset, length } = of === "key" ? (value.parent?.children?.[0] ?? value) : value;
      return { start: offset, end: offset + length };
    },
    written: ({ start, end }: TextRange) => text.slice(start, end),
  };
}

/** The node at a path of keys and indexes, or the nearest one around it. */
export function nodeAt(root: Node, path: readonly string[]): Node {
  let node = root;
  for (const key of path) {
    const next = findNodeAtLocation(node, [node.type === "array" ? Number(key) : key]);
    if (next === undefined) return node;
    node = next;
  }
  return node;
}

/** One key of an object with its value. */
export interface JsonMember {
  readonly name: string;
  readonly key: Node;
  readonly value: Node;
}

/** The members of an object, in text order; none for any other value. */
export function jsonMembers(node: Node): readonly JsonMember[] {
  if (node.type !== "object") return [];
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [{ name: String(key.value), key, value }],
  );
}

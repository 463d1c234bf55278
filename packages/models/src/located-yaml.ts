import {
  type DocumentOptions,
  isCollection,
  isMap,
  isPair,
  isScalar,
  LineCounter,
  type ParseOptions,
  parseDocument,
  type SchemaOptions,
} from "yaml";
import type { ShapeProblem } from "./shapes.ts";

/** A document of YAML, and the way to its lines and columns. */
export interface LocatedDocument {
  readonly document: ReturnType<typeof parseDocument>;
  /** `line:column` of an offset into the text. */
  at(offset: number): string;
}

/** Reads a text of YAML, or of JSON, which YAML includes. Never throws; the document holds its errors. */
export function parseLocated(
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions = {},
): LocatedDocument {
  const lines = new LineCounter();
  const at = (offset: number): string => `${lines.linePos(offset).line}:${lines.linePos(offset).col}`;
  return { document: parseDocument(text, { ...options, lineCounter: lines, prettyErrors: false }), at };
}

/** A text read with its positions: every JSON is YAML, whose parser knows them. */
export interface LocatedText {
  readonly value: unknown;
  /** `line:column message` if it cannot be read. */
  readonly problem?: string;
  /** `line:column` of the node that a path names, or of the nearest one. */
  positionOf(path: ShapeProblem["path"]): string;
}

/** Never throws. Imported only if a text is invalid. */
export function readLocated(text: string): LocatedText {
  const { document, at } = parseLocated(text, { schema: "json" });
  const [error] = document.errors;
  return {
    value: error ? undefined : document.toJS({ maxAliasCount: 0 }),
    ...(error && { problem: `${at(error.pos[0])} not JSON (${error.message})` }),
    positionOf: (path) => at(offsetOf(document.contents, path)),
  };
}

function offsetOf(root: unknown, path: ShapeProblem["path"]): number {
  let node = root;
  let offset = 0;
  for (const step of path) {
    const item = itemOf(node, step);
    const named = isPair(item) ? item.key : item;
    if (isScalar(named) || isCollection(named)) offset = named.range?.[0] ?? offset;
    node = isPair(item) ? item.value : item;
  }
  return offset;
}

function itemOf(node: unknown, step: string | number): unknown {
  if (!isCollection(node)) return undefined;
  if (typeof step === "number") return node.items[step];
  return isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined;
}

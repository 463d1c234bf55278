import { isCollection, isMap, isPair, isScalar, LineCounter, parseDocument } from "yaml";
import type { ShapeProblem } from "./shapes.ts";

/** A text read with its places: every JSON is YAML, whose parser knows them. */
export interface PlacedText {
  readonly value: unknown;
  /** `line:column message` where it cannot be read. */
  readonly problem?: string;
  /** `line:column` of what a path names, or of what is nearest to it. */
  placeOf(path: ShapeProblem["path"]): string;
}

/** Never throws. Imported only where a text is wrong. */
export function readPlaced(text: string): PlacedText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema: "json" });
  const at = (offset: number): string => `${lines.linePos(offset).line}:${lines.linePos(offset).col}`;
  const [error] = document.errors;
  return {
    value: error ? undefined : document.toJS({ maxAliasCount: 0 }),
    ...(error && { problem: `${at(error.pos[0])} no JSON (${error.message})` }),
    placeOf: (path) => at(offsetOf(document.contents, path)),
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

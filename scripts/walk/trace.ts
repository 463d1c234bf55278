// A preload: logs each entry of a function of packages/, as "FILE\tFUNCTION" a line, to WALK_LOG when the process exits.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plugin } from "bun";
import { parseSync, Visitor } from "oxc-parser";

declare global {
  var enteredFunction: (file: string, name: string) => void;
}

const root = join(import.meta.dir, "../..");
const entries: string[] = [];
globalThis.enteredFunction = (file, name) => void entries.push(`${file}\t${name}`);
process.on("exit", () => writeFileSync(process.env["WALK_LOG"] ?? "walk.log", entries.join("\n")));

plugin({
  name: "walk",
  setup(build) {
    build.onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => {
      const file = path.slice(`${root}/packages/`.length);
      return { contents: traced(file, readFileSync(path, "utf8")), loader: "ts" };
    });
  },
});

/** A text to add at an offset. */
interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** The source with a call at the start of each function body. */
function traced(file: string, source: string): string {
  const { insertions, visitor } = functionVisitor(file, source);
  visitor.visit(parseSync(file, source).program);
  return insertions
    .toSorted((one, other) => other.at - one.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source);
}

interface Body {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

function functionVisitor(file: string, source: string): { insertions: Insertion[]; visitor: Visitor } {
  const insertions: Insertion[] = [];
  const enter = ({ start, body }: { readonly start: number; readonly body: Body | null }): void => {
    if (body === null) return;
    const call = `enteredFunction(${JSON.stringify(file)}, ${JSON.stringify(nameBefore(source, start))})`;
    if (body.type === "BlockStatement" || body.type === "FunctionBody")
      insertions.push({ at: body.start + 1, text: `${call};` });
    else insertions.push({ at: body.start, text: `(${call}, ` }, { at: body.end, text: ")" });
  };
  const visitor = new Visitor({
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
  });
  return { insertions, visitor };
}

/** The last word before or at the head of a function: its name, or that of what it is assigned to. */
function nameBefore(source: string, start: number): string {
  const head = source.slice(start, start + 200);
  const [, declared] = /^(?:async\s+)?function\s*\*?\s*([\w$]+)/.exec(head) ?? [];
  const lines = source.slice(Math.max(0, start - 200), start);
  return declared ?? /([\w$]+)\W*$/.exec(lines.replace(/:[^:={}]*=\s*(?:async\s*)?$/, ""))?.[1] ?? "";
}

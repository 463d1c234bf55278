import { readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

/** One import, type-only and dynamic ones included. */
export interface Import {
  /** The importing file, relative to the repository. */
  readonly from: string;
  /** From 1. */
  readonly line: number;
  /** A file relative to the repository, a builtin such as `node:fs`, or what the import says where neither is found. */
  readonly to: string;
}

/** All imports of a TypeScript file that name what they import. `file` is relative to `root`. */
export function importsOf(root: string, file: string): readonly Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const { program } = parseSync(file, text);
  const imports: Import[] = [];
  const add = (source: unknown): void => {
    if (!isLiteral(source)) return;
    const line = text.slice(0, source.start).split("\n").length;
    imports.push({ from: file, line, to: target(source.value, { root, file }) });
  };
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
  }).visit(program);
  return imports;
}

interface Literal {
  readonly value: string;
  readonly start: number;
}

const isLiteral = (node: unknown): node is Literal =>
  typeof node === "object" && node !== null && "value" in node && typeof node.value === "string" && "start" in node;

interface Place {
  readonly root: string;
  readonly file: string;
}

/** The type checker finds what cannot be resolved; a package of the house counts by its name all the same. */
function target(specifier: string, { root, file }: Place): string {
  try {
    const path = Bun.resolveSync(specifier, join(root, dirname(file)));
    return path.startsWith("/") ? relative(realpathSync(root), realpathSync(path)) : path;
  } catch {
    return specifier.replace(/^@mdx-ai\//, "packages/");
  }
}

import { parseSync, Visitor } from "oxc-parser";

/** The specifier of an import. */
export interface ImportSource {
  readonly value: string;
  /** Of the literal with its quotes, as offsets into the text. */
  readonly start: number;
  readonly end: number;
}

/** The specifiers of a TypeScript text in order: static, type-only, dynamic, re-exporting, and within types. */
export function importSources(file: string, text: string): readonly ImportSource[] {
  const sources: ImportSource[] = [];
  const add = (source: unknown): void => {
    if (isLiteral(source)) sources.push({ value: source.value, start: source.start, end: source.end });
  };
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
  }).visit(parseSync(file, text).program);
  return sources.sort((first, second) => first.start - second.start);
}

/** An `import()` of a computed name has no literal. */
const isLiteral = (node: unknown): node is ImportSource =>
  typeof node === "object" && node !== null && "value" in node && typeof node.value === "string" && "start" in node;

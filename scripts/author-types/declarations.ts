import { dirname, join } from "node:path";
import { type Comment, type ExportSpecifier, parseSync, type Statement, Visitor } from "oxc-parser";

/** A type of a source file. */
interface TypeDeclaration {
  readonly name: string;
  /** With its comment. */
  readonly text: string;
  /** The names of other types in it, in their order. */
  readonly uses: readonly string[];
}

/** What a source file says of types. */
export interface SourceTypes {
  readonly declared: ReadonlyMap<string, TypeDeclaration>;
  /** The names that it imports or hands on, each with the source that they come from. */
  readonly foreign: ReadonlyMap<string, string>;
}

/** Reads the types that a TypeScript file declares, imports and hands on. */
export function sourceTypes(file: string, text: string): SourceTypes {
  const { program, comments } = parseSync(file, text);
  const declared = new Map<string, TypeDeclaration>();
  const foreign = new Map<string, string>();
  for (const [index, statement] of program.body.entries()) {
    const name = typeName(statement);
    const from = commentStart(comments, program.body[index - 1]?.end ?? 0, statement.start);
    if (name !== undefined) {
      declared.set(name, { name, text: plainText(text.slice(from, statement.end)), uses: usedNames(statement) });
    }
    for (const [local, source] of foreignNames(statement)) foreign.set(local, source);
  }
  return { declared, foreign };
}

/** The file that an import of another names; only packages of the house are found. */
export async function sourceFile(importer: string, source: string, root: string): Promise<string> {
  if (source.startsWith(".")) return join(dirname(importer), source);
  const [, name = "", entry = ""] = /^@mdx-ai\/([a-z]+)(\/.+)?$/.exec(source) ?? [];
  const manifest = await Bun.file(join(root, "packages", name, "package.json")).json();
  return join(root, "packages", name, String(manifest.exports[`.${entry}`]));
}

function typeName(statement: Statement): string | undefined {
  const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
  const isType = declaration?.type === "TSInterfaceDeclaration" || declaration?.type === "TSTypeAliasDeclaration";
  return isType ? declaration.id.name : undefined;
}

/** The start of the comment of a statement; the statement itself if it has none. */
function commentStart(comments: readonly Comment[], after: number, statement: number): number {
  const own = comments.find(({ type, value, start, end }) => {
    return type === "Block" && value.startsWith("*") && start >= after && end <= statement;
  });
  return own?.start ?? statement;
}

/** Without remarks for the linter. */
const plainText = (text: string): string => text.replace(/^\/\/ biome-ignore .*\n/gm, "");

function usedNames(statement: Statement): readonly string[] {
  const names: string[] = [];
  new Visitor({
    TSTypeReference: ({ typeName: used }) => void (used.type === "Identifier" && names.push(used.name)),
    TSInterfaceHeritage: ({ expression }) => void (expression.type === "Identifier" && names.push(expression.name)),
  }).visit({
    type: "Program",
    sourceType: "module",
    hashbang: null,

    body: [statement],
    start: 0,
    end: 0,
  });
  return names;
}

function foreignNames(statement: Statement): readonly (readonly [name: string, source: string])[] {
  if (statement.type === "ImportDeclaration") {
    return statement.specifiers.map(({ local }) => [local.name, statement.source.value] as const);
  }
  if (statement.type !== "ExportNamedDeclaration") return [];
  const source = statement.source?.value;
  return source === undefined
    ? []
    : statement.specifiers.map((specifier) => [exportedName(specifier), source] as const);
}

const exportedName = ({ exported }: ExportSpecifier): string =>
  exported.type === "Identifier" ? exported.name : exported.value;

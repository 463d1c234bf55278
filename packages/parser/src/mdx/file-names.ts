import type { DocumentParts } from "./document-parts.ts";
import type { EsmNode } from "./syntax-tree.ts";

type Statement = NonNullable<NonNullable<EsmNode["data"]>["estree"]>["body"][number];
type Declaration = NonNullable<Extract<Statement, { type: "ExportNamedDeclaration" }>["declaration"]>;
type Pattern = Extract<Declaration, { type: "VariableDeclaration" }>["declarations"][number]["id"];

/** What is known of a name's value without running the file: prose can show neither a function nor an object. */
export type NameValue = "function" | "object" | "unknown";

/** The names that a file imports and exports. */
export type FileNames = ReadonlyMap<string, NameValue>;

/** Collects the names that a document's code can use. */
export function fileNames({ esm }: Pick<DocumentParts, "esm">): FileNames {
  const statements = esm.flatMap((node) => node.data?.estree?.body ?? []);
  return new Map(statements.flatMap((statement) => declaredNames(statement)));
}

type NamedValue = readonly [name: string, value: NameValue];

function declaredNames(statement: Statement): readonly NamedValue[] {
  if (statement.type === "ImportDeclaration") return unknownNames(statement.specifiers.map(({ local }) => local.name));
  if (statement.type !== "ExportNamedDeclaration") return [];
  const { declaration } = statement;
  if (declaration === null || declaration === undefined) return [];
  if (declaration.type !== "VariableDeclaration") return [[declaration.id.name, "function"]];
  return declaration.declarations.flatMap(({ id, init }): readonly NamedValue[] =>
    id.type === "Identifier" && declaration.kind === "const"
      ? [[id.name, valueOfType(init?.type)]]
      : unknownNames(boundNames(id)),
  );
}

function unknownNames(names: readonly string[]): readonly NamedValue[] {
  return names.map((name): NamedValue => [name, "unknown"]);
}

/** What a value of this type of expression is. */
export function valueOfType(type: string | undefined): NameValue {
  if (type === "ObjectExpression") return "object";
  return type !== undefined && /^(?:ArrowFunction|Function|Class)Expression$/.test(type) ? "function" : "unknown";
}

function boundNames(pattern: Pattern): readonly string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element === null ? [] : boundNames(element)));
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        boundNames(property.type === "RestElement" ? property.argument : property.value),
      );
    case "AssignmentPattern":
      return boundNames(pattern.left);
    case "RestElement":
      return boundNames(pattern.argument);
    default:
      return [];
  }
}

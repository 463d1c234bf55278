import { quoted, type Report } from "../report.ts";
import { closest } from "../suggestion.ts";
import type { TextEdit } from "../types/diagnostic.ts";
import type { DocumentParts } from "./document-parts.ts";
import type { EsmNode, ExpressionNode, JsxElement } from "./syntax-tree.ts";
import { startOf } from "./syntax-tree.ts";

const ownComponents = ["Tool", "Param"] as const;
/** Names that compiled MDX defines. */
const givenNames = ["props", "arguments", "undefined"] as const;

type Expression = Extract<Statement, { type: "ExpressionStatement" }>["expression"];
type Statement = NonNullable<NonNullable<EsmNode["data"]>["estree"]>["body"][number];

/** Whether a document must be run to get its text: it holds code, expressions or components. */
export function isDynamic(parts: DocumentParts): boolean {
  return parts.esm.length > 0 || parts.expressions.length > 0 || parts.elements.some(needsRunning);
}

/** A tag in small letters with plain attributes, such as `<context>`, is text to a model. */
function needsRunning(element: JsxElement): boolean {
  return (
    isComponent(element) ||
    element.name === null ||
    element.attributes.some((attribute) => typeof attribute.value === "object" && attribute.value !== null)
  );
}

/** Whether an element is a component, not a tag of plain text. */
export function isComponent(element: JsxElement): boolean {
  return /^[^a-z]|\./.test(element.name ?? "a");
}

/** Reports components and names that nothing in the document defines. */
export function reportUnknownNames(parts: DocumentParts, report: Report): void {
  const declared = new Set(parts.esm.flatMap((node) => node.data?.estree?.body ?? []).flatMap(declaredNames));
  for (const element of parts.elements) reportUnknownComponent(element, declared, report);
  for (const expression of parts.expressions) reportUnknownName(expression, declared, report);
}

function reportUnknownComponent(element: JsxElement, declared: ReadonlySet<string>, report: Report): void {
  const name = element.name ?? "";
  const root = name.split(".")[0] ?? "";
  const isUnknown = isComponent(element) && !declared.has(root) && root !== "props";
  if (isMisspelledTool(element)) reportComponent(element, [...ownComponents], report);
  else if (isUnknown) reportComponent(element, [...ownComponents, ...declared], report);
}

/** `<tool name="…">` would be plain text: most likely a mistake. */
function isMisspelledTool(element: JsxElement): boolean {
  const isNamed = element.attributes.some(
    (attribute) => attribute.type === "mdxJsxAttribute" && attribute.name === "name",
  );
  return isNamed && /^(?:tool|param)$/.test(element.name ?? "");
}

function reportComponent(element: JsxElement, known: readonly string[], report: Report): void {
  const near = closest(element.name ?? "", known);
  const otherwise =
    element.name === "Example"
      ? "move it into its `<Tool>`, or import a component of that name"
      : "import the component, or write `\\<` if it is not a tag";
  report({
    rule: "mdx-unknown-component",
    severity: isComponent(element) ? "error" : "warning",
    offset: startOf(element),
    message: `unexpected \`<${element.name}>\`, expected \`<Tool>\`, \`<Param>\` or a component that the file imports or exports`,
    hint: near === undefined ? otherwise : `did you mean \`<${near}>\`?`,
  });
}

function reportUnknownName(node: ExpressionNode, declared: ReadonlySet<string>, report: Report): void {
  const statement = node.data?.estree?.body[0];
  const name = statement?.type === "ExpressionStatement" ? firstName(statement.expression) : undefined;
  if (name === undefined || declared.has(name) || name in globalThis || givenNames.some((given) => given === name))
    return;
  const start = startOf(node);
  const near = closest(name, declared);
  const fix = fixOf(node.value, { name, start });
  report({
    rule: "mdx-unknown-name",
    offset: start,
    message: `unexpected ${quoted(`{${node.value}}`)}, expected names that the file imports or exports, or \`\\{\``,
    hint:
      near === undefined
        ? `write \`${fix.fix?.text === "\\{\\{" ? "\\{\\{" : "\\{"}\` for the character itself`
        : `did you mean \`${near}\`?`,
    ...fix,
  });
}

/** If braces hold a lone name, they are a placeholder of the text: `{name}` or `{{name}}`. */
function fixOf(value: string, at: { readonly name: string; readonly start: number }): { readonly fix?: TextEdit } {
  const { name, start } = at;
  if (value.trim() === name) return { fix: { start, end: start, text: "\\" } };
  const isDouble = value.startsWith("{") && value.slice(1, -1).trim() === name;
  return isDouble ? { fix: { start, end: start + 2, text: "\\{\\{" } } : {};
}

/** The name that is looked up first in `name`, `name.a.b`, `name.a(…)` or `{name}`. */
function firstName(expression: Expression | { readonly type: "Super" }): string | undefined {
  let current = expression;
  while (current.type === "MemberExpression" || current.type === "CallExpression") {
    current = current.type === "MemberExpression" ? current.object : current.callee;
  }
  if (current.type === "Identifier") return current.name;
  const [property] = current.type === "ObjectExpression" ? current.properties : [];
  return property?.type === "Property" && property.value.type === "Identifier" ? property.value.name : undefined;
}

function declaredNames(statement: Statement): readonly string[] {
  if (statement.type === "ImportDeclaration") return statement.specifiers.map((specifier) => specifier.local.name);
  if (statement.type !== "ExportNamedDeclaration") return [];
  const { declaration } = statement;
  if (declaration?.type === "VariableDeclaration") return declaration.declarations.flatMap((one) => boundNames(one.id));
  return declaration === null || declaration === undefined ? [] : [declaration.id.name];
}

type Pattern = Extract<
  NonNullable<Extract<Statement, { type: "ExportNamedDeclaration" }>["declaration"]>,
  { type: "VariableDeclaration" }
>["declarations"][number]["id"];

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

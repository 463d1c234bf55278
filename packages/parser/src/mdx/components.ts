import { closest } from "@mdx-ai/base";
import { quoted, type Report } from "../report.ts";
import type { TextEdit } from "../types/diagnostic.ts";
import type { DocumentParts } from "./document-parts.ts";
import type { FileNames } from "./file-names.ts";
import {
  hasExpression,
  isComponent,
  type ProseCode,
  type ReadExpression,
  type TextReading,
  type UnknownInAttribute,
} from "./prose-code.ts";
import type { Range } from "./prose-slices.ts";
import { escapedBraces } from "./syntax/javascript-problem.ts";
import { type ExpressionNode, endOf, type JsxElement, startOf } from "./syntax-tree.ts";

const ownComponents = ["Tool", "Param"] as const;

/** Whether a document must be run to get its text: it holds code, expressions or components. */
export function isDynamic(parts: DocumentParts, { expressions }: ProseCode): boolean {
  return (
    parts.esm.length > 0 ||
    expressions.some(({ reading }) => reading.type !== "text") ||
    parts.elements.some((element) => isComponent(element) || element.name === null || hasExpression(element))
  );
}

/** What the names of a document's code are looked up in. */
export interface NameContext {
  readonly names: FileNames;
  /** Of the document. */
  readonly text: string;
  readonly report: Report;
}

/** Reports components and names that nothing in the document defines, and braces that are no code. */
export function reportUnknownNames(parts: DocumentParts, code: ProseCode, context: NameContext): void {
  for (const element of parts.elements) reportUnknownComponent(element, context);
  for (const expression of code.expressions) reportExpression(expression, context);
  for (const attribute of code.attributes) reportAttribute(attribute, context);
  for (const braces of parts.imageBraces) reportInImage(braces, context);
}

function reportUnknownComponent(element: JsxElement, { names, report }: NameContext): void {
  const root = (element.name ?? "").split(".")[0] ?? "";
  const isUnknown = isComponent(element) && element.name !== null && !names.has(root);
  if (isMisspelledTool(element)) reportComponent(element, [...ownComponents], report);
  else if (isUnknown) reportComponent(element, [...ownComponents, ...names.keys()], report);
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

function reportExpression({ node, reading }: ReadExpression, { names, text, report }: NameContext): void {
  const offset = startOf(node);
  const seen = quoted(`{${node.value}}`);
  switch (reading.type) {
    case "code":
      return;
    case "text":
      reportText(node, reading, { names, text, report });
      return;
    case "unknown_name":
      report({
        rule: "mdx-unknown-name",
        offset,
        message: `unexpected name ${quoted(reading.name)} in ${seen}, expected names that the file imports or exports`,
        hint: nameHint(reading.name, names, "import or export the name, or write `\\{` if this is text"),
      });
      return;
    case "not_shown":
      report({
        rule: "mdx-expression",
        offset,
        message: `unexpected ${seen}, ${reading.value === "object" ? "an object" : "a function"}, expected text, a number or a list`,
        hint: `write \`{${reading.name}${reading.value === "object" ? ".…" : "(…)"}}\``,
      });
      return;
    default:
      reading satisfies never;
  }
}

/** Braces that nobody meant as code, unless a name in them is most likely misspelled. */
function reportText(
  node: ExpressionNode,
  { unknown, reason }: TextReading,
  { names, text, report }: NameContext,
): void {
  const offset = startOf(node);
  const fix = escapedBraces(text, offset, endOf(node));
  const near = unknown === undefined ? undefined : closest(unknown, names.keys());
  const expected =
    unknown === undefined
      ? "expected an expression with names that the file imports or exports, or `\\{`"
      : "expected names that the file imports or exports, or `\\{`";
  const why = reason === undefined ? "" : ` (${reason})`;
  report({
    rule: unknown === undefined ? "mdx-expression" : "mdx-unknown-name",
    offset,
    message: `unexpected ${quoted(`{${node.value}}`)}${why}, ${expected}`,
    ...(near === undefined
      ? { hint: `write \`${text.startsWith("{{", offset) ? "\\{\\{" : "\\{"}\` for the character itself`, fix }
      : { hint: `did you mean \`${near}\`?` }),
  });
}

function reportInImage({ start, end }: Range, { text, report }: NameContext): void {
  report({
    rule: "mdx-expression",
    offset: start,
    message: `unexpected ${quoted(text.slice(start, end))} in the text of an image, where nothing is computed, expected \`\\{\``,
    hint: "write `\\{` for the character itself",
    fix: escapedBraces(text, start, end),
  });
}

function nameHint(name: string, names: FileNames, otherwise: string): string {
  const near = closest(name, names.keys());
  return near === undefined ? otherwise : `did you mean \`${near}\`?`;
}

/** A tag of plain text is escaped as text; the value of a component's attribute is for the author to say. */
function reportAttribute({ element, offset, name }: UnknownInAttribute, { names, text, report }: NameContext): void {
  report({
    rule: "mdx-unknown-name",
    offset,
    message: `unexpected name ${quoted(name)} in an attribute of \`<${element.name ?? ""}>\`, expected names that the file imports or exports`,
    hint: nameHint(name, names, "import or export the name, or write `\\<` if this is not a tag"),
    ...(isComponent(element) || closest(name, names.keys()) !== undefined ? {} : { fix: escapedTag(element, text) }),
  });
}

/** Escapes a tag with its braces, and the tag that closes it. */
function escapedTag(element: JsxElement, text: string): TextEdit {
  const start = startOf(element);
  const [first] = element.children;
  const content = first === undefined ? endOf(element) : startOf(first);
  const closing = first === undefined ? content : text.lastIndexOf("</", endOf(element));
  const opening = text.slice(start, content).replace(/[<{]/g, "\\$&");
  const rest = closing <= content ? "" : `${text.slice(content, closing)}\\`;
  return { start, end: Math.max(content, closing), text: `${opening}${rest}` };
}

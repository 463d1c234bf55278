import { defined } from "@mdx-ai/base";
import type { DocumentParts } from "./document-parts.ts";
import { type FileNames, valueOfType } from "./file-names.ts";
import { childrenOf, type ExpressionNode, type JsxElement, startOf } from "./syntax-tree.ts";

type Program = NonNullable<NonNullable<ExpressionNode["data"]>["estree"]>;

/** Finds the names that code looks up outside itself; undefined if it is nested too deep to be read. */
type NamesOf = (code: Parameters<typeof import("./code-uses.ts").freeNames>[0]) => readonly string[] | undefined;

/** Braces that nobody meant as code. */
export interface TextReading {
  readonly type: "text";
  /** A name that nothing defines, if that is what shows it. */
  readonly unknown?: string;
  /** Why they are no code although they use names of the file. */
  readonly reason?: string;
}

/** What braces in prose are: code that can be shown, text, or code that is known to fail. */
type Reading =
  | { readonly type: "code" }
  | TextReading
  | { readonly type: "unknown_name"; readonly name: string }
  | { readonly type: "not_shown"; readonly name: string; readonly value: "function" | "object" };

export interface ReadExpression {
  readonly node: ExpressionNode;
  readonly reading: Reading;
}

/** An attribute in braces that uses a name that nothing defines. */
export interface UnknownInAttribute {
  readonly element: JsxElement;
  readonly offset: number;
  readonly name: string;
}

/** The code of a document, other than its imports and exports. */
export interface ProseCode {
  readonly expressions: readonly ReadExpression[];
  readonly attributes: readonly UnknownInAttribute[];
}

/**
 * Reads the braces of a document. An expression is code if it is a string, a template without expressions, or uses a name
 * that the file imports or exports; within a component a function is code too, and so is every attribute in braces.
 */
export async function readProseCode(parts: DocumentParts, names: FileNames): Promise<ProseCode> {
  const elements = parts.elements.filter(hasExpression);
  if (parts.expressions.length === 0 && elements.length === 0) return { expressions: [], attributes: [] };
  const { freeNames } = await import("./code-uses.ts");
  const namesOf: NamesOf = (code) => withinStack(() => freeNames(code));
  const given = new Set(parts.elements.filter(isComponent).flatMap(expressionChildren));
  const expressions = parts.expressions.map((node) => ({
    node,
    reading: readingOf(node, { names, namesOf, isGiven: given.has(node) }),
  }));
  return {
    expressions,
    attributes: elements.flatMap((element) => unknownInAttributes(element, names, namesOf)),
  };
}

function attributeCode(attribute: JsxElement["attributes"][number]): Program | undefined {
  const holder = attribute.type === "mdxJsxExpressionAttribute" ? attribute : attribute.value;
  return typeof holder === "object" ? (holder?.data?.estree ?? undefined) : undefined;
}

/** Whether an element is a component, not a tag of plain text. */
export function isComponent(element: JsxElement): boolean {
  return /^[^a-z]|\./.test(element.name ?? "a");
}

/** Whether an element has an attribute in braces, or several from an object. */
export function hasExpression(element: JsxElement): boolean {
  return element.attributes.some(
    ({ type, value }) => type === "mdxJsxExpressionAttribute" || (typeof value === "object" && value !== null),
  );
}

/** The expressions that a component receives as its children. */
function expressionChildren(element: JsxElement): readonly ExpressionNode[] {
  return element.children.flatMap((child) => {
    const inner = child.type === "paragraph" ? childrenOf(child) : [child];
    return inner.flatMap((node) =>
      node.type === "mdxFlowExpression" || node.type === "mdxTextExpression" ? [node] : [],
    );
  });
}

interface ReadingContext {
  readonly names: FileNames;
  readonly namesOf: NamesOf;
  /** Whether a component receives the value, which need not be one that prose can show. */
  readonly isGiven: boolean;
}

function readingOf(node: ExpressionNode, context: ReadingContext): Reading {
  const program = node.data?.estree;
  const [statement] = program?.body ?? [];
  if (program === undefined || program === null || statement?.type !== "ExpressionStatement") return { type: "text" };
  const { expression } = statement;
  if (expression.type === "Literal" && typeof expression.value === "string") return { type: "code" };
  if (expression.type === "TemplateLiteral" && expression.expressions.length === 0) return { type: "code" };
  const used = context.namesOf(program);
  return used === undefined
    ? { type: "text", reason: "it is nested too deep" }
    : readingOfNames(expression, used, context);
}

type Expression = Extract<Program["body"][number], { type: "ExpressionStatement" }>["expression"];

/** The reading of an expression that looks up these names. */
function readingOfNames(expression: Expression, used: readonly string[], context: ReadingContext): Reading {
  const { names, isGiven } = context;
  const unknown = unknownIn(used, names);
  const isCallback = isGiven && valueOfType(expression.type) === "function";
  if (!isCallback && !used.some((name) => names.has(name))) {
    return { type: "text", ...defined({ unknown }) };
  }
  const reason = isGiven ? undefined : reasonOf(expression.type);
  if (reason !== undefined) return { type: "text", reason };
  if (unknown !== undefined) return { type: "unknown_name", name: unknown };
  return expression.type === "Identifier" && !isGiven ? readingOfName(expression.name, names) : { type: "code" };
}

/** The reading of a name of the file alone. */
function readingOfName(name: string, names: FileNames): Reading {
  const value = names.get(name) ?? "unknown";
  return value === "unknown" ? { type: "code" } : { type: "not_shown", name, value };
}

/** Why an expression of this type is not meant to be shown, whatever names it uses. */
function reasonOf(type: string): string | undefined {
  const value = valueOfType(type);
  if (value !== "unknown") return `prose cannot show ${value === "object" ? "an object" : "a function"}`;
  if (type === "SequenceExpression") return "of several expressions only the last would be shown";
  return type === "AssignmentExpression" || type === "UpdateExpression" ? "names of the file are constant" : undefined;
}

/** The first name that neither the file nor JavaScript itself defines. */
function unknownIn(used: readonly string[], names: FileNames): string | undefined {
  return used.find((name) => !names.has(name) && !(name in globalThis));
}

function unknownInAttributes(element: JsxElement, names: FileNames, namesOf: NamesOf): readonly UnknownInAttribute[] {
  return element.attributes.flatMap((attribute) => {
    const program = attributeCode(attribute);
    const used = program === undefined ? [] : (namesOf(program) ?? []);
    const name = unknownIn(used, names);
    const offset = attribute.position?.start.offset ?? startOf(element);
    return name === undefined ? [] : [{ element, offset, name }];
  });
}

function withinStack<Value>(run: () => Value): Value | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

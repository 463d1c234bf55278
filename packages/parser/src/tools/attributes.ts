import { closest, defined, didYouMean, onlyClosest } from "@mdx-ai/base";
import { type Located, type Schema, validate } from "@mdx-ai/base/schema";
import { type JsxElement, startOf } from "../markdown/syntax-tree.ts";
import { powerAttributes } from "../powers.ts";
import { quoted, type Report } from "../report.ts";
import { isRule, type Rule } from "../rules.ts";
import type { TextEdit } from "../types/diagnostic.ts";

/** The value of an attribute: a text in quotes, a bare name (`true`), or a JSX literal. */
type Literal = string | number | boolean | null;

/** One attribute as the author wrote it. */
export interface Attribute {
  readonly value: Literal;
  readonly offset: number;
  /** After its last character. */
  readonly end: number;
}

/** The attributes of an element by name. */
export type Attributes = ReadonlyMap<string, Attribute>;

type JsxAttribute = JsxElement["attributes"][number];
type NamedAttribute = Extract<JsxAttribute, { type: "mdxJsxAttribute" }>;
type JsxValue = NonNullable<Exclude<NamedAttribute["value"], string>>;

/** Attributes that restrict a tool: ignoring one would give a false sense of safety. */
const guarding: readonly string[] = ["permission", "network", "files"];

/** What the attributes of an element may be, by their names. */
export type AttributeTable = Readonly<Record<string, Schema>>;

/** Reads the attributes of an element; what is not a literal, repeated, unknown or does not fit the table is reported, and left out. */
export function readAttributes(element: JsxElement, table: AttributeTable, report: Report): Attributes {
  const attributes = literalsOf(element, Object.keys(table), report);
  const { problems } = validate({ type: "object", properties: table }, located(attributes));
  for (const { path, range, rule = "", message, hint, fix } of problems) {
    const [name = ""] = path;
    attributes.delete(name);
    report({
      rule: isRule(rule) ? rule : "attribute-value",
      offset: range.start,
      ...{ message, hint },
      ...defined({ fix: powerAttributes.includes(name) ? undefined : fix }),
    });
  }
  return attributes;
}

const located = (attributes: Attributes): Located => ({
  value: Object.fromEntries([...attributes].map(([name, { value }]) => [name, value])),
  range: ([name = ""]) => {
    const { offset = 0, end = 0 } = attributes.get(name) ?? {};
    return { start: offset, end };
  },
  written: () => "",
  edit: ([name = ""], text) => {
    const attribute = attributes.get(name);
    return attribute && withValue(name, attribute, text).fix;
  },
});

function literalsOf(element: JsxElement, known: readonly string[], report: Report): Map<string, Attribute> {
  const attributes = new Map<string, Attribute>();
  for (const attribute of element.attributes) {
    const offset = attribute.position?.start.offset ?? startOf(element);
    if (attribute.type === "mdxJsxExpressionAttribute") {
      const message = `unexpected ${quoted(`{${attribute.value}}`)}, expected attributes with literal values`;
      report({ rule: "attribute-value", offset, message, hint: "write each attribute by itself" });
      continue;
    }
    reportName(attribute, { element, known, offset, seen: attributes.has(attribute.name) }, report);
    const value = literalOf(attribute);
    if (value === undefined) reportExpression(attribute, offset, report);
    else attributes.set(attribute.name, { value, offset, end: attribute.position?.end.offset ?? offset });
  }
  return attributes;
}

interface AttributeContext {
  readonly element: JsxElement;
  readonly known: readonly string[];
  readonly offset: number;
  readonly seen: boolean;
}

function reportName(attribute: NamedAttribute, context: AttributeContext, report: Report): void {
  const { name } = attribute;
  const tag = `\`<${context.element.name}>\``;
  if (context.seen) {
    const message = `second attribute ${quoted(name)} of ${tag}`;
    report({ rule: "attribute-duplicate", offset: context.offset, message, hint: "remove one of the two" });
  }
  if (context.known.includes(name)) return;
  const near = closest(name, context.known);
  const fix = meantAttribute(attribute, context);
  report({
    rule: "attribute-unknown",
    offset: context.offset,
    ...(guarding.includes(near ?? "") ? { severity: "error" } : {}),
    message: `unexpected attribute ${quoted(name)} of ${tag}, expected one of ${context.known.join(", ")}`,
    hint:
      fix?.text === notRequired
        ? `write \`${notRequired}\``
        : didYouMean(name, context.known, "remove it: it has no effect"),
    ...defined({ fix }),
  });
}

const notRequired = 'required="false"';

/** The attribute in its right spelling, if the element does not have it yet. Never guesses one that grants power. */
function meantAttribute(attribute: NamedAttribute, { element, known, offset }: AttributeContext): TextEdit | undefined {
  const { name } = attribute;
  const isFree = (meant: string): boolean =>
    !element.attributes.some((other) => "name" in other && other.name === meant);
  const end = attribute.position?.end.offset;
  const said = name === "optional" ? literalOf(attribute) : undefined;
  const isOptional = said === true || said === "true";
  if (isOptional && end !== undefined && known.includes("required") && isFree("required")) {
    return { start: offset, end, text: notRequired };
  }
  const meant = /^[\w-]+$/.test(name) ? onlyClosest(name, known) : undefined;
  if (meant === undefined || (element.name === "Tool" && powerAttributes.includes(meant))) return undefined;
  return isFree(meant) ? { start: offset, end: offset + name.length, text: meant } : undefined;
}

function reportExpression(attribute: NamedAttribute, offset: number, report: Report): void {
  const { name, position } = attribute;
  const text = /^\s*(['`])([^'"`\\$<>{}]*)\1\s*$/.exec(valueText(attribute))?.[2];
  const end = position?.end.offset ?? offset;
  const isSafe = text !== undefined && !powerAttributes.includes(name);
  report({
    rule: "attribute-value",
    offset,
    message: `unexpected ${quoted(`{${valueText(attribute)}}`)} as the value of ${quoted(attribute.name)}, expected JSON in braces or a text in quotes`,
    hint: `write \`${attribute.name}="${text ?? "…"}"\`: tools are read without running code`,
    ...(isSafe ? withValue(name, { value: true, offset, end }, text) : {}),
  });
}

const valueText = ({ value }: NamedAttribute): string =>
  typeof value === "object" ? (value?.value ?? "") : (value ?? "");

/** The fix that gives the attribute another value, which must need no escape in quotes. */
export function withValue(name: string, { offset, end }: Attribute, value: string): { readonly fix?: TextEdit } {
  return offset < end ? { fix: { start: offset, end, text: `${name}="${value}"` } } : {};
}

function literalOf(attribute: NamedAttribute): Literal | undefined {
  if (attribute.value === null || attribute.value === undefined) return true;
  return typeof attribute.value === "string" ? attribute.value : literalOfExpression(attribute.value);
}

function literalOfExpression(value: JsxValue): Literal | undefined {
  const json = literalOfJson(value.value);
  const statement = value.data?.estree?.body[0];
  if (json !== undefined || statement?.type !== "ExpressionStatement") return json;
  const { expression } = statement;
  if (expression.type === "Literal") return plainLiteral(expression.value);
  if (expression.type === "TemplateLiteral" && expression.expressions.length === 0) {
    return expression.quasis[0]?.value.cooked ?? undefined;
  }
  if (expression.type !== "UnaryExpression" || expression.operator !== "-") return undefined;
  const inner = expression.argument.type === "Literal" ? expression.argument.value : undefined;
  return typeof inner === "number" ? -inner : undefined;
}

/** A list or an object is its text in JSON, as in quotes. */
function literalOfJson(text: string): Literal | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? text.trim() : plainLiteral(value);
  } catch {
    return undefined;
  }
}

function plainLiteral(value: unknown): Literal | undefined {
  const isPlain =
    value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isPlain ? value : undefined;
}

/** The comma-separated parts of a value, trimmed; undefined if it is no string or a part is empty. */
export function commaSeparated({ value }: Attribute): readonly string[] | undefined {
  if (typeof value !== "string") return undefined;
  const parts = value.split(",").map((part) => part.trim());
  return parts.includes("") ? undefined : parts;
}

const yes = /^(?:true|yes|y|on|1|required|always|nullable)$/i;
const no = /^(?:false|no|n|off|0|optional|never)$/i;

/** An attribute that says true or false. */
export const truthAttribute = (rule: Rule, description: string): Schema => ({
  title: '"true" or "false"',
  description,
  rule,
  accepts: (value) => truthOf(value) !== undefined,
  fixFor: (value) => {
    const word = String(value).trim();
    if (yes.test(word)) return "true";
    return no.test(word) ? "false" : undefined;
  },
});

/** What a `truthAttribute` that was read says; undefined if it is absent. */
export function truthOf(value: unknown): boolean | undefined {
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : undefined;
}

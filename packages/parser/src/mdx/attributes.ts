import { closest, defined, didYouMean, onlyClosest } from "@mdx-ai/base";
import { powerAttributes } from "../powers.ts";
import { quoted, type Report } from "../report.ts";
import type { Rule } from "../rules.ts";
import type { TextEdit } from "../types/diagnostic.ts";
import { type JsxElement, startOf } from "./syntax-tree.ts";

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

/** Reads the attributes of an element and reports those that are no literals, repeated or unknown. */
export function readAttributes(element: JsxElement, known: readonly string[], report: Report): Attributes {
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
  report({
    rule: "attribute-value",
    offset,
    message: `unexpected expression as the value of ${quoted(attribute.name)}, expected a literal`,
    hint: `write \`${attribute.name}="…"\`: tool definitions are read without running code`,
  });
}

/** The fix that gives the attribute another value, which must need no escape in quotes. */
export function withValue(name: string, { offset, end }: Attribute, value: string): { readonly fix?: TextEdit } {
  return offset < end ? { fix: { start: offset, end, text: `${name}="${value}"` } } : {};
}

function literalOf(attribute: NamedAttribute): Literal | undefined {
  if (attribute.value === null || attribute.value === undefined) return true;
  return typeof attribute.value === "string" ? attribute.value : literalOfExpression(attribute.value);
}

function literalOfExpression(value: JsxValue): Literal | undefined {
  const statement = value.data?.estree?.body[0];
  if (statement?.type !== "ExpressionStatement") return undefined;
  const { expression } = statement;
  if (expression.type === "Literal") return plainLiteral(expression.value);
  if (expression.type === "TemplateLiteral" && expression.expressions.length === 0) {
    return expression.quasis[0]?.value.cooked ?? undefined;
  }
  if (expression.type !== "UnaryExpression" || expression.operator !== "-") return undefined;
  const inner = expression.argument.type === "Literal" ? expression.argument.value : undefined;
  return typeof inner === "number" ? -inner : undefined;
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

/** Whether an attribute says true or false; undefined if it is absent, or has another value, which is reported. */
export function readTruth(
  name: string,
  attributes: Attributes,
  { rule, hint, report }: { readonly rule: Rule; readonly hint: string; readonly report: Report },
): boolean | undefined {
  const attribute = attributes.get(name);
  const said = attribute && truthOf(attribute);
  if (attribute === undefined || said !== undefined) return said;
  const message = `unexpected ${quoted(String(attribute.value))} as \`${name}\`, expected "true" or "false"`;
  const fix = powerAttributes.includes(name) ? {} : meantTruth(name, attribute);
  report({ rule, offset: attribute.offset, message, hint, ...fix });
  return undefined;
}

function truthOf({ value }: Attribute): boolean | undefined {
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : undefined;
}

/** The fix of an attribute that says yes or no in other words, if it is clear which. */
function meantTruth(name: string, attribute: Attribute): ReturnType<typeof withValue> {
  const word = String(attribute.value).trim();
  if (yes.test(word)) return withValue(name, attribute, "true");
  return no.test(word) ? withValue(name, attribute, "false") : {};
}

import { defined } from "@mdx-ai/base";
import { innerParams, type JsxElement, startOf } from "../../markdown/syntax-tree.ts";
import { quoted, type Report } from "../../report.ts";
import type { SourceText } from "../../source-text.ts";
import type { ParameterDefinition } from "../../types/tool-definition.ts";
import {
  type Attribute,
  type Attributes,
  type AttributeTable,
  readAttributes,
  truthAttribute,
  truthOf,
} from "../attributes.ts";
import { type ParameterKind, readKind } from "./parameter-type.ts";
import { readDefault, readEnum, readLimits, readPattern } from "./parameter-values.ts";

/** The attributes of a `<Param>`; what depends on its type is checked with that. */
const parameterAttributes: AttributeTable = {
  name: {},
  type: {},
  description: {},
  required: truthAttribute("param-required", 'write `required="false"` for an optional parameter'),
  nullable: truthAttribute("param-nullable", "write `nullable` if null is allowed"),
  ...{ default: {}, enum: {}, items: {}, min: {}, max: {}, pattern: {} },
};

/** Providers take about as many levels of objects. */
const MAX_DEPTH = 8;

/** What a `<Param>` is read against. */
export interface ParameterContext {
  readonly source: SourceText;
  readonly report: Report;
}

/** Reads the `<Param>` elements of a tool, or of a parameter at a level. Of two with one name the first counts; the second is reported. */
export function readParameters(
  elements: readonly JsxElement[],
  context: ParameterContext,
  level = 1,
): readonly ParameterDefinition[] {
  const parameters = new Map<string, ParameterDefinition>();
  for (const element of elements) {
    const parameter = readParameter(element, level, context);
    if (parameter === undefined) continue;
    if (!parameters.has(parameter.name)) parameters.set(parameter.name, parameter);
    else {
      const message = `second parameter named ${quoted(parameter.name)}`;
      const hint = "rename one of the two";
      context.report({ rule: "param-name-duplicate", offset: startOf(element), message, hint });
    }
  }
  return [...parameters.values()];
}

/** Undefined if it has no name. */
function readParameter(element: JsxElement, level: number, context: ParameterContext): ParameterDefinition | undefined {
  const { source, report } = context;
  const attributes = readAttributes(element, parameterAttributes, report);
  const offset = startOf(element);
  const name = nameOf(attributes, offset, report);
  const kind = readKind(attributes, report);
  const members = membersOf(element, kind, level, context);
  const parameter: ParameterDefinition = {
    name: name ?? "",
    type: kind.type,
    description: descriptionOf(attributes.get("description"), report),
    required: requiredOf(attributes, report),
    ...defined({
      nullable: truthOf(attributes.get("nullable")?.value) || undefined,
      items: kind.items,
      enum: choicesOf(attributes, { kind, offset, report }),
      pattern: readPattern(attributes.get("pattern"), kind, report),
      members: members.length > 0 ? members : undefined,
    }),
    ...readLimits(attributes, kind, report),
    position: source.pointAt(offset),
  };
  if (name === undefined) return undefined;
  const preset = attributes.get("default");
  return { ...parameter, ...defined({ default: preset && readDefault(preset, parameter, report) }) };
}

/** The values of an enum. */
function choicesOf(
  attributes: Attributes,
  { kind, offset, report }: { readonly kind: ParameterKind; readonly offset: number; readonly report: Report },
): ParameterDefinition["enum"] {
  const attribute = attributes.get("enum");
  if (attribute !== undefined) return readEnum(attribute, kind.items ?? kind.type, report);
  if (kind.isEnum) {
    const message = "the type `enum` has no values";
    report({ rule: "param-enum", offset, message, hint: 'write `enum="a,b"`' });
  }
  return undefined;
}

function membersOf(
  element: JsxElement,
  { type, items }: ParameterKind,
  level: number,
  context: ParameterContext,
): readonly ParameterDefinition[] {
  const elements = innerParams(element);
  const [first] = elements;
  if (first === undefined) return [];
  const isObject = (items ?? type) === "object";
  if (isObject && level < MAX_DEPTH) return readParameters(elements, context, level + 1);
  const seen = items === undefined ? `a parameter of type \`${type}\`` : `an array of type \`${items}\``;
  const message = isObject
    ? `\`<Param>\` is nested ${MAX_DEPTH + 1} levels deep, at most ${MAX_DEPTH} are allowed`
    : `\`<Param>\` within ${seen}, expected an object`;
  const hint = isObject
    ? "flatten the objects"
    : 'write `type="object"`, or `type="array" items="object"`, for a parameter with members';
  context.report({ rule: "param-nested", offset: startOf(first), message, hint });
  return [];
}

function nameOf(attributes: Attributes, offset: number, report: Report): string | undefined {
  const attribute = attributes.get("name");
  if (typeof attribute?.value !== "string" || attribute.value.trim() === "") {
    const message = "`<Param>` has no name";
    report({ rule: "param-name", offset: attribute?.offset ?? offset, message, hint: 'write `<Param name="city" />`' });
    return undefined;
  }
  checkParameterName(attribute.value, attribute.offset, report);
  return attribute.value;
}

/** Reports the name of a parameter that model providers reject. */
export function checkParameterName(name: string, offset: number, report: Report): void {
  if (/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) return;
  const message = `unexpected parameter name ${quoted(name)}, expected at most 64 of a-z, A-Z, 0-9, "_", "." and "-"`;
  report({ rule: "param-name-form", offset, message, hint: "rename it: model providers reject other parameter names" });
}

function descriptionOf(attribute: Attribute | undefined, report: Report): string {
  if (attribute === undefined) return "";
  if (typeof attribute.value === "string") return attribute.value;
  const message = `unexpected ${quoted(String(attribute.value))} as a description, expected a string`;
  report({ rule: "param-description", offset: attribute.offset, message, hint: 'write `description="…"`' });
  return "";
}

/** A parameter with a default is optional unless `required` says otherwise. */
function requiredOf(attributes: Attributes, report: Report): boolean {
  const preset = attributes.get("default");
  const said = truthOf(attributes.get("required")?.value);
  if (preset !== undefined && said === true) {
    const message = "a required parameter has a `default`";
    const how = "remove `required`: a parameter with a default is optional";
    report({ rule: "param-default", severity: "warning", offset: preset.offset, message, hint: how });
  }
  return said ?? preset === undefined;
}

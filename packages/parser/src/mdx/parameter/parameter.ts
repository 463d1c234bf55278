import { quoted, type Report } from "../../report.ts";
import type { SourceText } from "../../source-text.ts";
import type { ParameterDefinition } from "../../types/tool-definition.ts";
import { type Attribute, type Attributes, readAttributes, readTruth } from "../attributes.ts";
import { innerParams, type JsxElement, startOf } from "../syntax-tree.ts";
import { readLimits, readPattern } from "./parameter-limits.ts";
import { type ParameterKind, readKind } from "./parameter-type.ts";
import { readDefault, readEnum } from "./parameter-values.ts";

const attributeNames = [
  ...["name", "type", "description", "required", "nullable", "default"],
  ...["enum", "items", "min", "max", "pattern"],
] as const;
const acceptedName = /^[a-zA-Z0-9_.-]{1,64}$/;
/** Providers take about as many levels of objects. */
const deepest = 8;

/** What a `<Param>` is read against. */
export interface ParameterSurroundings {
  readonly source: SourceText;
  readonly report: Report;
}

/** Reads the `<Param>` elements of a tool. */
export function readParameters(
  elements: readonly JsxElement[],
  surroundings: ParameterSurroundings,
): readonly ParameterDefinition[] {
  return readLevel(elements, 1, surroundings);
}

function readLevel(
  elements: readonly JsxElement[],
  level: number,
  surroundings: ParameterSurroundings,
): readonly ParameterDefinition[] {
  const read = (element: JsxElement): ParameterDefinition | undefined => readParameter(element, level, surroundings);
  return distinctParameters(elements, read, surroundings.report);
}

/** Of two parameters with one name the first; the second is reported. */
function distinctParameters(
  elements: readonly JsxElement[],
  read: (element: JsxElement) => ParameterDefinition | undefined,
  report: Report,
): readonly ParameterDefinition[] {
  const parameters = new Map<string, ParameterDefinition>();
  for (const element of elements) {
    const parameter = read(element);
    if (parameter === undefined) continue;
    if (!parameters.has(parameter.name)) parameters.set(parameter.name, parameter);
    else {
      const message = `second parameter named ${quoted(parameter.name)}`;
      report({ rule: "param-name-duplicate", offset: startOf(element), message, hint: "rename one of the two" });
    }
  }
  return [...parameters.values()];
}

/** Undefined if it has no name. */
function readParameter(
  element: JsxElement,
  level: number,
  surroundings: ParameterSurroundings,
): ParameterDefinition | undefined {
  const { source, report } = surroundings;
  const attributes = readAttributes(element, attributeNames, report);
  const offset = startOf(element);
  const name = nameOf(attributes, offset, report);
  const kind = readKind(attributes, report);
  const members = membersOf(element, kind, { level, surroundings });
  const parameter: ParameterDefinition = {
    name: name ?? "",
    type: kind.type,
    description: descriptionOf(attributes.get("description"), report),
    required: requiredOf(attributes, report),
    ...(isNullable(attributes, report) ? { nullable: true } : {}),
    ...(kind.items === undefined ? {} : { items: kind.items }),
    ...choicesOf(attributes, { kind, offset, report }),
    ...readLimits(attributes, kind, report),
    ...patternOf(attributes.get("pattern"), kind, report),
    ...(members.length === 0 ? {} : { members }),
    position: source.pointAt(offset),
  };
  return name === undefined ? undefined : withDefault(parameter, attributes.get("default"), report);
}

function withDefault(
  parameter: ParameterDefinition,
  attribute: Attribute | undefined,
  report: Report,
): ParameterDefinition {
  const value = attribute && readDefault(attribute, parameter, report);
  return value === undefined ? parameter : { ...parameter, default: value };
}

function patternOf(
  attribute: Attribute | undefined,
  kind: ParameterKind,
  report: Report,
): Pick<ParameterDefinition, "pattern"> {
  const pattern = readPattern(attribute, kind, report);
  return pattern === undefined ? {} : { pattern };
}

interface ChoicesContext {
  readonly kind: ParameterKind;
  readonly offset: number;
  readonly report: Report;
}

function choicesOf(
  attributes: Attributes,
  { kind, offset, report }: ChoicesContext,
): Pick<ParameterDefinition, "enum"> {
  const attribute = attributes.get("enum");
  if (attribute !== undefined) {
    const choices = readEnum(attribute, kind.items ?? kind.type, report);
    return choices === undefined ? {} : { enum: choices };
  }
  if (kind.isEnum) {
    const message = "the type `enum` has no values";
    report({ rule: "param-enum", offset, message, hint: 'write `enum="a,b"`' });
  }
  return {};
}

interface Level {
  readonly level: number;
  readonly surroundings: ParameterSurroundings;
}

function membersOf(
  element: JsxElement,
  { type, items }: ParameterKind,
  { level, surroundings }: Level,
): readonly ParameterDefinition[] {
  const elements = innerParams(element);
  const [first] = elements;
  if (first === undefined) return [];
  const isObject = (items ?? type) === "object";
  if (isObject && level < deepest) return readLevel(elements, level + 1, surroundings);
  const seen = items === undefined ? `a parameter of type \`${type}\`` : `an array of type \`${items}\``;
  const message = isObject
    ? `\`<Param>\` is nested ${deepest + 1} levels deep, at most ${deepest} are allowed`
    : `\`<Param>\` within ${seen}, expected an object`;
  const hint = isObject
    ? "flatten the objects"
    : 'write `type="object"`, or `type="array" items="object"`, for a parameter with members';
  surroundings.report({ rule: "param-nested", offset: startOf(first), message, hint });
  return [];
}

function nameOf(attributes: Attributes, offset: number, report: Report): string | undefined {
  const attribute = attributes.get("name");
  if (typeof attribute?.value !== "string" || attribute.value.trim() === "") {
    const message = "`<Param>` has no name";
    report({ rule: "param-name", offset: attribute?.offset ?? offset, message, hint: 'write `<Param name="city" />`' });
    return undefined;
  }
  if (!acceptedName.test(attribute.value)) {
    const message = `unexpected parameter name ${quoted(attribute.value)}, expected at most 64 of a-z, A-Z, 0-9, "_", "." and "-"`;
    const hint = "rename it: model providers reject other parameter names";
    report({ rule: "param-name-form", offset: attribute.offset, message, hint });
  }
  return attribute.value;
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
  const hint = 'write `required="false"` for an optional parameter';
  const said = readTruth("required", attributes, { rule: "param-required", hint, report });
  if (preset !== undefined && said === true) {
    const message = "a required parameter has a `default`";
    const how = "remove `required`: a parameter with a default is optional";
    report({ rule: "param-default", severity: "warning", offset: preset.offset, message, hint: how });
  }
  return said ?? preset === undefined;
}

function isNullable(attributes: Attributes, report: Report): boolean {
  const hint = "write `nullable` if null is allowed";
  return readTruth("nullable", attributes, { rule: "param-nullable", hint, report }) ?? false;
}

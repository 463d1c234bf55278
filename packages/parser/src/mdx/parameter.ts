import { quoted, type Report } from "../report.ts";
import type { SourceText } from "../source-text.ts";
import { closest } from "../suggestion.ts";
import type { ParameterDefinition, ParameterType } from "../types/tool-definition.ts";
import { type Attribute, type Attributes, readAttributes } from "./attributes.ts";
import { type JsxElement, startOf } from "./syntax-tree.ts";

const attributeNames = ["name", "type", "description", "required"] as const;
const parameterTypes = ["string", "number", "boolean"] as const satisfies readonly ParameterType[];
const otherWords: ReadonlyMap<string, ParameterType> = new Map([
  ["str", "string"],
  ["text", "string"],
  ["int", "number"],
  ["integer", "number"],
  ["float", "number"],
  ["double", "number"],
  ["bool", "boolean"],
]);
const acceptedName = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Reads one `<Param>`; undefined where it has no name. */
export function readParameter(
  element: JsxElement,
  source: SourceText,
  report: Report,
): ParameterDefinition | undefined {
  const attributes = readAttributes(element, attributeNames, report);
  const offset = startOf(element);
  const name = nameOf(attributes, offset, report);
  const parameter = {
    type: typeOf(attributes.get("type"), report),
    description: descriptionOf(attributes.get("description"), report),
    required: requiredOf(attributes.get("required"), report),
    position: source.pointAt(offset),
  };
  return name === undefined ? undefined : { name, ...parameter };
}

function nameOf(attributes: Attributes, offset: number, report: Report): string | undefined {
  const attribute = attributes.get("name");
  if (typeof attribute?.value !== "string" || attribute.value.trim() === "") {
    const message = "unexpected `<Param>` without a name, expected `name` with a text";
    report({ rule: "param-name", offset: attribute?.offset ?? offset, message, hint: 'write `<Param name="city" />`' });
    return undefined;
  }
  if (!acceptedName.test(attribute.value)) {
    const message = `unexpected parameter name ${quoted(attribute.value)}, expected at most 64 of a-z, A-Z, 0-9, "_", "." and "-"`;
    const hint = "providers of models refuse other names of parameters";
    report({ rule: "param-name-form", offset: attribute.offset, message, hint });
  }
  return attribute.value;
}

function typeOf(attribute: Attribute | undefined, report: Report): ParameterType {
  if (attribute === undefined) return "string";
  const type = parameterTypes.find((known) => known === attribute.value);
  if (type !== undefined) return type;
  const written = String(attribute.value);
  const near = otherWords.get(written.toLowerCase()) ?? closest(written, parameterTypes);
  const message = `unexpected type ${quoted(written)}, expected "string", "number" or "boolean"`;
  const hint = near === undefined ? "write one of the three" : `did you mean \`${near}\`?`;
  report({ rule: "param-type", offset: attribute.offset, message, hint });
  return "string";
}

function descriptionOf(attribute: Attribute | undefined, report: Report): string {
  if (attribute === undefined) return "";
  if (typeof attribute.value === "string") return attribute.value;
  const message = `unexpected ${quoted(String(attribute.value))} as a description, expected a text`;
  report({ rule: "param-description", offset: attribute.offset, message, hint: 'write `description="…"`' });
  return "";
}

function requiredOf(attribute: Attribute | undefined, report: Report): boolean {
  if (attribute === undefined) return true;
  if (attribute.value === true || attribute.value === "true") return true;
  if (attribute.value === false || attribute.value === "false") return false;
  const message = `unexpected ${quoted(String(attribute.value))} as \`required\`, expected "true" or "false"`;
  report({
    rule: "param-required",
    offset: attribute.offset,
    message,
    hint: 'write `required="false"` for an optional parameter',
  });
  return true;
}

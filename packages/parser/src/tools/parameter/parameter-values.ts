import { defined, isRecord, type JsonValue } from "@mdx-ai/base";
import { patternProblem } from "../../arguments/patterns/bounded-patterns.ts";
import { expectationOf, type SchemaProblem, schemaCheck } from "../../arguments/schema-problems.ts";
import { quoted, type Report } from "../../report.ts";
import type { ParameterDefinition, ParameterType } from "../../types/tool-definition.ts";
import type { Attribute, Attributes } from "../attributes.ts";
import { parameterSchema } from "../parameters-schema.ts";
import type { ParameterKind } from "./parameter-type.ts";

/** The value that an attribute states for a parameter of a type; undefined if its text is no such value. */
function statedValue(attribute: Attribute, type: ParameterType): JsonValue | undefined {
  if (typeof attribute.value !== "string" || type === "string") return attribute.value;
  return parsed(attribute.value);
}

/** The values of an `enum`: a text with commas, or an array in JSON; undefined, and reported, if it has none. */
export function readEnum(
  attribute: Attribute,
  type: ParameterType,
  report: Report,
): readonly (string | number)[] | undefined {
  const complain = (seen: string, expected: string, hint: string): undefined => {
    report({ rule: "param-enum", offset: attribute.offset, message: `unexpected ${seen}, expected ${expected}`, hint });
    return undefined;
  };
  if (type !== "string" && type !== "number" && type !== "integer") {
    return complain(`\`enum\` of a parameter of type \`${type}\``, "strings or numbers", "remove it");
  }
  const values = listed(attribute, type);
  const example =
    type === "string" ? '`enum="a,b"`, or `enum=\'["a, b", "c"]\'` if values contain commas' : '`enum="1,2"`';
  if (values.length === 0) return complain("`enum` without values", "values separated by commas", `write ${example}`);
  const fitting = values.filter((value) => fits(value, type));
  const mismatch = values.find((value) => !fits(value, type));
  if (mismatch !== undefined)
    return complain(`${quoted(shownValue(mismatch))} in \`enum\``, `values of type \`${type}\``, `write ${example}`);
  const twin = secondOf(fitting);
  if (twin !== undefined) complain(`second ${quoted(shownValue(twin))} in \`enum\``, "each value once", "remove one");
  return [...new Set(fitting)];
}

/** The first repeated value. */
function secondOf(values: readonly (string | number)[]): string | number | undefined {
  const seen = new Set<string | number>();
  return values.find((value) => seen.size === seen.add(value).size);
}

function fits(value: unknown, type: "string" | "number" | "integer"): value is string | number {
  if (type === "string") return typeof value === "string";
  return typeof value === "number" && Number.isFinite(value) && (type === "number" || Number.isInteger(value));
}

function listed({ value }: Attribute, type: "string" | "number" | "integer"): readonly unknown[] {
  if (typeof value === "number") return [value];
  if (typeof value !== "string") return [];
  const json = value.trim().startsWith("[") ? parsed(value) : undefined;
  if (Array.isArray(json)) return json;
  const words = value.split(",").map((word) => word.trim());
  const texts = words.filter((word) => word !== "");
  return type === "string" ? texts : texts.map((text) => parsed(text) ?? text);
}

function shownValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function parsed(text: string): JsonValue | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A value of `JSON.parse` always is, unless a number is out of range. */
function isJson(value: unknown): value is JsonValue {
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  return isRecord(value) ? Object.values(value).every(isJson) : value !== undefined;
}

/** Reads `default` for a parameter whose other parts are known; one that does not fit it is reported and left out. */
export function readDefault(
  attribute: Attribute,
  parameter: ParameterDefinition,
  report: Report,
): JsonValue | undefined {
  const value = statedValue(attribute, parameter.type);
  const expected = value === undefined ? typeWords(parameter) : mismatch(value, parameter);
  if (expected === undefined) return value;
  const message = `unexpected default ${quoted(String(attribute.value))} of ${quoted(parameter.name)}, expected ${expected}`;
  report({ rule: "param-default", offset: attribute.offset, message, hint: hintFor(parameter) });
  return undefined;
}

function mismatch(value: JsonValue, parameter: ParameterDefinition): string | undefined {
  const [problem] = schemaCheck(parameterSchema(parameter))(value);
  return problem && expectedOf(problem, parameter);
}

function expectedOf(problem: SchemaProblem, parameter: ParameterDefinition): string {
  const wanted = expectationOf(problem)?.expected;
  if (problem.path.length === 0) return wanted ?? typeWords(parameter);
  return `what the ${parameter.type} takes at ${quoted(problem.path.join("."))}`;
}

function typeWords({ type, nullable }: ParameterDefinition): string {
  return `a value of type \`${type}\`${nullable === true ? " or null" : ""}`;
}

function hintFor({ type }: ParameterDefinition): string {
  if (type === "array") return "write an array in JSON, such as `default='[]'`";
  return type === "object"
    ? "write an object in JSON, such as `default='{}'`"
    : "correct the default, or what it must match";
}

/** Reads `min` and `max`; what does not fit is reported and left out. */
export function readLimits(
  attributes: Attributes,
  { type }: ParameterKind,
  report: Report,
): Pick<ParameterDefinition, "minimum" | "maximum"> {
  const least = attributes.get("min");
  const greatest = attributes.get("max");
  const minimum = least && limitOf("min", least, type, report);
  const maximum = greatest && limitOf("max", greatest, type, report);
  if (greatest !== undefined && minimum !== undefined && maximum !== undefined && minimum > maximum) {
    const message = `unexpected \`max\` of ${maximum} below \`min\` of ${minimum}, expected at least ${minimum}`;
    report({ rule: "param-range", offset: greatest.offset, message, hint: "swap the two, or correct one of them" });
    return {};
  }
  return { ...defined({ minimum, maximum }) };
}

function limitOf(
  name: "min" | "max",
  { value, offset }: Attribute,
  type: ParameterType,
  report: Report,
): number | undefined {
  if (type === "boolean" || type === "object") {
    const message = `unexpected \`${name}\` of a parameter of type \`${type}\`, expected a number, a string or an array`;
    report({ rule: "param-range", offset, message, hint: "remove it" });
    return undefined;
  }
  const limit = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  const counts = type === "string" || type === "array";
  if (typeof limit === "number" && Number.isFinite(limit) && (!counts || (Number.isInteger(limit) && limit >= 0))) {
    return limit;
  }
  const what = type === "string" ? "a count of characters" : "a count of items";
  const message = `unexpected ${quoted(String(value))} as \`${name}\`, expected ${counts ? what : "a number"}`;
  report({ rule: "param-range", offset, message, hint: `write \`${name}="1"\`` });
  return undefined;
}

/** Reads `pattern`; one that does not fit is reported and left out. */
export function readPattern(attribute: Attribute | undefined, kind: ParameterKind, report: Report): string | undefined {
  if (attribute === undefined) return undefined;
  const { value, offset } = attribute;
  const complain = (seen: string, expected: string, hint: string): undefined => {
    report({ rule: "param-pattern", offset, message: `unexpected ${seen}, expected ${expected}`, hint });
    return undefined;
  };
  const type = kind.items ?? kind.type;
  if (type !== "string") return complain(`\`pattern\` of type \`${type}\``, "type `string`", "remove it");
  if (typeof value !== "string" || value === "") {
    return complain(`${quoted(String(value))} as \`pattern\``, "a regular expression", 'write `pattern="^[a-z]+$"`');
  }
  const reason = patternProblem(value);
  if (reason === undefined) return value;
  return complain(
    `pattern ${quoted(value)} (${reason})`,
    "a valid regular expression (with the flag u)",
    'correct it; write it without slashes and with single `\\`, as in `pattern="^\\d+$"`',
  );
}

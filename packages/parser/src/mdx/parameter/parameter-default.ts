import { expectationOf } from "../../arguments/expectation.ts";
import type { SchemaProblem } from "../../arguments/schema-problem.ts";
import { schemaCheck } from "../../arguments/schema-problems.ts";
import { parameterSchema } from "../../parameters-schema.ts";
import { quoted, type Report } from "../../report.ts";
import type { JsonValue } from "../../types/json.ts";
import type { ParameterDefinition } from "../../types/tool-definition.ts";
import type { Attribute } from "../attributes.ts";
import { statedValue } from "./parameter-values.ts";

/** Reads `default` for a parameter that is known otherwise; one that does not fit it is reported and left out. */
export function readDefault(
  attribute: Attribute,
  parameter: ParameterDefinition,
  report: Report,
): JsonValue | undefined {
  const value = statedValue(attribute, parameter.type);
  const expected = value === undefined ? typeWords(parameter) : misfit(value, parameter);
  if (expected === undefined) return value;
  const message = `unexpected default ${quoted(String(attribute.value))} of ${quoted(parameter.name)}, expected ${expected}`;
  report({ rule: "param-default", offset: attribute.offset, message, hint: hintFor(parameter) });
  return undefined;
}

function misfit(value: JsonValue, parameter: ParameterDefinition): string | undefined {
  const [problem] = schemaCheck(parameterSchema(parameter))(value);
  return problem && expectedOf(problem, parameter);
}

function expectedOf(problem: SchemaProblem, parameter: ParameterDefinition): string {
  const told = expectationOf(problem)?.expected;
  if (problem.path.length === 0) return told ?? typeWords(parameter);
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

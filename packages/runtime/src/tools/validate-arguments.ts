import type { JsonObject } from "@mdx-ai/models";
import { isRecord } from "../record.ts";
import { headOf } from "./cut-text.ts";
import { errorText } from "./error-text.ts";
import { type SchemaProblem, schemaCheck } from "./schema-problems.ts";

/** How many problems a refusal names. */
const SHOWN = 10;

/** Why arguments do not fit, naming each parameter and what was expected; undefined where they fit. Never throws. */
export type ArgumentsCheck = (args: JsonObject) => string | undefined;

/** The check of the arguments of a tool. A schema that cannot be used is a reason to refuse too. */
export function argumentsCheck(parameters: JsonObject): ArgumentsCheck {
  const problems = schemaCheck(parameters);
  return (args) => {
    try {
      const lines = problems(args).flatMap((problem) => problemLines(problem, parameters));
      if (lines.length === 0) return undefined;
      const more = lines.length > SHOWN ? `; and ${lines.length - SHOWN} more` : "";
      return `invalid arguments: ${lines.slice(0, SHOWN).join("; ")}${more}`;
    } catch (error) {
      return `the schema of the tool's parameters cannot be used: ${errorText(error)}`;
    }
  };
}

function problemLines(problem: SchemaProblem, parameters: JsonObject): readonly string[] {
  const name = parameterName(problem.path);
  switch (problem.keyword) {
    case "required":
      return missingLines(problem, parameters);
    case "type":
      return [`${name} must be ${typeNames(problem.expected)}, not ${typeOf(problem.found)}`];
    case "enum":
      return [`${name} must be one of ${shown(problem.expected)}, not ${shown(problem.found)}`];
    case "const":
      return [`${name} must be ${shown(problem.expected)}, not ${shown(problem.found)}`];
    case "false":
      return [`${name} is unknown`];
    default:
      return [`${name}: ${problem.message}`];
  }
}

function missingLines(problem: SchemaProblem, parameters: JsonObject): readonly string[] {
  const { expected, found, path } = problem;
  const names =
    Array.isArray(expected) && isRecord(found) ? expected.filter((name) => !Object.hasOwn(found, name)) : [];
  if (names.length === 0) return [`${parameterName(path)}: ${problem.message}`];
  return names.map((name) => {
    const expectation = path.length === 0 ? expectationOf(parameters, String(name)) : "";
    return `${parameterName([...path, String(name)])} is missing${expectation}`;
  });
}

/** What the schema says about a parameter, in brackets: its type and description. */
function expectationOf(parameters: JsonObject, name: string): string {
  const properties = parameters["properties"];
  const schema = isRecord(properties) ? properties[name] : undefined;
  if (!isRecord(schema)) return "";
  const said = [schema["type"], schema["description"]].filter((part) => typeof part === "string" && part !== "");
  return said.length === 0 ? "" : ` (${headOf(said.join(": "), 200)})`;
}

/** `parameter "a"` or, deeper, `parameter "a.b[0]"`. */
function parameterName(path: readonly string[]): string {
  if (path.length === 0) return "the arguments";
  const text = path.map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : `${index === 0 ? "" : "."}${key}`)).join("");
  return `parameter ${JSON.stringify(text)}`;
}

function typeNames(expected: unknown): string {
  if (Array.isArray(expected)) return expected.join(" or ");
  return typeof expected === "string" ? expected : "of another type";
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return `number ${value}`;
  return typeof value;
}

function shown(value: unknown): string {
  return headOf(JSON.stringify(value) ?? "nothing", 200);
}

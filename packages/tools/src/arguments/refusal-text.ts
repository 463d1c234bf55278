import { isRecord, type JsonObject } from "@mdx-ai/base";
import { type BuiltinTool, headOf } from "@mdx-ai/loop";
import { expectationOf, type SchemaProblem } from "@mdx-ai/parser";
import type { UnknownName } from "./argument-names.ts";
import { exampleText } from "./example-arguments.ts";

/** The most problems that a refusal names. */
const SHOWN = 10;

/** The problems of arguments. */
export interface ArgumentsProblems {
  readonly problems: readonly SchemaProblem[];
  readonly unknown: readonly UnknownName[];
}

/** The subject of a refusal. */
export interface RefusedCall {
  readonly tool: BuiltinTool;
  /** The name by which models call the tool. */
  readonly name: string;
  /** Whether arguments would be accepted. */
  readonly fits: (args: JsonObject) => boolean;
}

/** The problems of arguments as text for a model, with a correct call. */
export function refusalText({ problems, unknown }: ArgumentsProblems, call: RefusedCall): string {
  const named = new Set(unknown.map(({ path }) => JSON.stringify(path)));
  // Each missing parameter is a separate problem, and each of these names them all.
  const lines = new Set([
    ...unknown.map(unknownLine),
    ...problems
      .filter(({ keyword, path }) => keyword !== "false" || !named.has(JSON.stringify(path)))
      .flatMap((problem) => problemLines(problem, call.tool)),
  ]);
  const more = lines.size > SHOWN ? `; and ${lines.size - SHOWN} more` : "";
  const example = exampleText(call);
  const text = `invalid arguments: ${[...lines].slice(0, SHOWN).join("; ")}${more}`;
  return example === "" ? text : `${text}${text.endsWith("?") ? "" : "."} Example: ${example}`;
}

/** The most names that the line about an unknown name lists. */
const LISTED = 12;

function unknownLine({ path, suggestion, isDouble, known }: UnknownName): string {
  const name = parameterName(path);
  const quoted = JSON.stringify(suggestion);
  if (isDouble) return `${name} is another name of ${quoted}, and their values differ: give ${quoted} alone`;
  if (suggestion !== undefined) return `${name} is unknown; did you mean ${quoted}?`;
  if (known.length === 0) return `${name} is unknown: there are no parameters`;
  return `${name} is unknown; available: ${known.slice(0, LISTED).join(", ")}${known.length > LISTED ? ", …" : ""}`;
}

function problemLines(problem: SchemaProblem, tool: BuiltinTool): readonly string[] {
  const name = parameterName(problem.path);
  const isInSeconds = tool.seconds?.includes(problem.path.join(".")) === true;
  switch (problem.keyword) {
    case "required":
      return missingLines(problem, tool.parameters);
    case "type":
      return [
        `${name} must be ${typeNames(problem.expected)}${isInSeconds ? " of seconds" : ""}, not ${typeOf(problem.found)}`,
      ];
    case "false":
      return [`${name} is unknown`];
    default: {
      const expectation = expectationOf(problem);
      if (expectation === undefined) return [`${name}: ${problem.message}`];
      const unit = isInSeconds ? (problem.expected === 1 ? " second" : " seconds") : "";
      const hint = isInSeconds ? millisecondsHint(problem) : "";
      return [`${name} must be ${expectation.expected}${unit}, not ${expectation.found}${hint}`];
    }
  }
}

/** The hint for a number of seconds that is too large and would be valid as milliseconds. */
function millisecondsHint({ keyword, expected, found }: SchemaProblem): string {
  if (keyword !== "maximum" || typeof expected !== "number" || typeof found !== "number") return "";
  const seconds = found / 1_000;
  return found % 500 === 0 && seconds <= expected ? ` (${found} looks like milliseconds: use ${seconds})` : "";
}

function missingLines(problem: SchemaProblem, parameters: JsonObject): readonly string[] {
  const { expected, found, path } = problem;
  const names =
    Array.isArray(expected) && isRecord(found) ? expected.filter((name) => !Object.hasOwn(found, name)) : [];
  if (names.length === 0) return [`${parameterName(path)}: ${problem.message}`];
  return names.map((name) => {
    const expectation = path.length === 0 ? declaration(parameters, String(name)) : "";
    return `${parameterName([...path, String(name)])} is missing${expectation}`;
  });
}

/** The schema's type and description of a parameter, in parentheses. */
function declaration(parameters: JsonObject, name: string): string {
  const properties = parameters["properties"];
  const schema = isRecord(properties) ? properties[name] : undefined;
  if (!isRecord(schema)) return "";
  const { type } = schema;
  const said = [Array.isArray(type) ? type.join(" or ") : type, schema["description"]].filter(
    (part) => typeof part === "string" && part !== "",
  );
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

import type { JsonObject } from "@mdx-ai/models";
import { expectationOf, fillDefaults, type SchemaProblem, schemaCheck } from "@mdx-ai/parser";
import { isRecord } from "@mdx-ai/parser/record";
import { untilAborted } from "../abort.ts";
import type { AgentTool, BuiltinTool, BuiltinToolContext, ForeignTool, ToolContext } from "../types/tool.ts";
import type { ToolOutcome } from "../types/tool-registry.ts";
import { errorResult, errorText, finishedResult, headOf } from "./tool-result.ts";

/** Checks the arguments of a call and fills in defaults, then runs it as `runTool` does. Never rejects. */
export async function executeTool(tool: AgentTool, args: JsonObject, context: ToolContext): Promise<ToolOutcome> {
  const check = checkOf(tool);
  const refusal = check.refusal(args);
  return refusal === undefined ? runTool(tool, check.filled(args), context) : errorResult(refusal);
}

/**
 * Runs one call of a tool whose arguments were checked. A throw, a value that is not JSON and an abort (at once, even if
 * the tool ignores the signal) are error results; that of an abort begins with the output that the tool kept. Text over the limit
 * is cut, with the number of dropped characters. Never rejects.
 */
export async function runTool(tool: BuiltinTool, args: JsonObject, context: ToolContext): Promise<ToolOutcome> {
  const { signal } = context;
  let kept = "";
  const builtinContext: BuiltinToolContext = {
    ...context,
    keepOutput: (text) => {
      kept = text;
    },
  };
  try {
    const value: unknown = await untilAborted(async () => tool.execute(args, builtinContext), signal);
    const result = finishedResult(value, tool.outputLimit);
    return { ...result, isError: result.isError === true };
  } catch (error) {
    return errorResult(signal.aborted && error === signal.reason ? abortText(signal, kept) : errorText(error));
  }
}

/** The reason why a signal fired, for the model, behind the output of the call until then. */
function abortText({ reason }: AbortSignal, output: string): string {
  const timedOut = reason instanceof Error && reason.name === "TimeoutError";
  const ending = timedOut
    ? "stopped: its time was over"
    : "aborted before it finished; its effects until then are unknown";
  return output.trim() === "" ? ending : `${output.trimEnd()}\n[${ending}]`;
}

/** How many problems a refusal names. */
const SHOWN = 10;

/** Checks the arguments of a call, and completes them, before a tool receives them. */
export interface ArgumentsCheck {
  /** Why they do not fit, naming each parameter and what was expected; undefined if they fit. Never throws. */
  refusal(args: JsonObject): string | undefined;
  /** Arguments that fit, completed with defaults; the given ones are not changed. */
  filled(args: JsonObject): JsonObject;
}

/** The check of the arguments of a tool: one that checks them itself gets them as they are. */
export const checkOf = (tool: AgentTool & Partial<ForeignTool>): ArgumentsCheck =>
  tool.checksArguments ? UNCHECKED : argumentsCheck(tool.parameters);

const UNCHECKED: ArgumentsCheck = { refusal: () => undefined, filled: (args) => args };

/** The check of the arguments of a tool. Defaults are filled in first. An unusable schema is a reason to refuse too. */
function argumentsCheck(parameters: JsonObject): ArgumentsCheck {
  const problems = schemaCheck(parameters);
  let hasDefaults: boolean | undefined;
  const filled = (args: JsonObject): JsonObject => {
    hasDefaults ??= JSON.stringify(parameters).includes('"default":');
    return hasDefaults ? fillDefaults(parameters, args) : args;
  };
  const refusal = (args: JsonObject): string | undefined => {
    try {
      // Each missing parameter is a problem of its own, and each of these names them all.
      const lines = new Set(problems(filled(args)).flatMap((problem) => problemLines(problem, parameters)));
      return lines.size === 0 ? undefined : refusalText([...lines]);
    } catch (error) {
      return `the schema of the tool's parameters cannot be used: ${errorText(error)}`;
    }
  };
  return { refusal, filled };
}

function refusalText(lines: readonly string[]): string {
  const more = lines.length > SHOWN ? `; and ${lines.length - SHOWN} more` : "";
  return `invalid arguments: ${lines.slice(0, SHOWN).join("; ")}${more}`;
}

function problemLines(problem: SchemaProblem, parameters: JsonObject): readonly string[] {
  const name = parameterName(problem.path);
  switch (problem.keyword) {
    case "required":
      return missingLines(problem, parameters);
    case "type":
      return [`${name} must be ${typeNames(problem.expected)}, not ${typeOf(problem.found)}`];
    case "false":
      return [`${name} is unknown`];
    default: {
      const expectation = expectationOf(problem);
      return [
        expectation
          ? `${name} must be ${expectation.expected}, not ${expectation.found}`
          : `${name}: ${problem.message}`,
      ];
    }
  }
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

/** The schema's description of a parameter, in brackets: its type and description. */
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

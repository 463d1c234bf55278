import { attempt, isJsonObject, type JsonObject, jsonValue, once } from "@mdx-ai/base";
import type { BuiltinTool, ForeignTool } from "@mdx-ai/loop";
import { fillDefaults, type SchemaCheck, type SchemaProblem, schemaCheck } from "@mdx-ai/parser";
import { errorText } from "../error-text.ts";
import type { ArgumentsProblems, RefusedCall } from "./refusal-text.ts";

/** Corrects, checks and completes the arguments of a call before a tool receives them. */
export interface ArgumentsCheck {
  /** The corrected arguments; the same object if they are valid. Never rejects. */
  understood(args: JsonObject): Promise<JsonObject>;
  /** Why they are invalid, naming each parameter and the expected value; undefined if they are valid. Never throws. */
  refusal(args: JsonObject): string | undefined;
  /** Valid arguments, completed with defaults; does not change the given ones. */
  filled(args: JsonObject): JsonObject;
}

type CheckedTool = BuiltinTool & Partial<ForeignTool>;

/**
 * The check of the arguments of a tool that models call `name`. Fills in defaults first. An unusable schema is a reason for
 * refusal, too. A remote tool gets its arguments without defaults, with names that its schema does not mention, and any arguments
 * if its schema cannot be used.
 */
export function argumentsCheck(tool: CheckedTool, name: string = tool.name): ArgumentsCheck {
  const { parameters, parameterHabits: habits, takesOtherNames: isOpen = false } = tool;
  const problemsOf = isOpen ? foreignCheck(parameters) : schemaCheck(parameters);
  const completed = defaultsOf(parameters);
  const filled = isOpen ? (args: JsonObject) => args : completed;
  const check = (args: JsonObject): readonly SchemaProblem[] => problemsOf(completed(args));
  const unknownNames = once(() => unknownNamesFor(tool));
  // The loop corrects a call, then checks it.
  const fitting = new WeakSet<JsonObject>();
  const mistakes = (args: JsonObject): ArgumentsProblems => {
    const found = { problems: check(args), unknown: isOpen ? [] : unknownNames()(args) };
    if (isFitting(found)) fitting.add(args);
    return found;
  };
  const fits = (args: JsonObject): boolean => isFitting(mistakes(args));
  const understood = async (given: JsonObject): Promise<JsonObject> => {
    const args = preparedBy(tool, given);
    try {
      if (fits(args)) return args;
      const { understoodArguments } = await import("./understood-arguments.ts");
      return understoodArguments(args, { parameters, check, isOpen, habits });
    } catch {
      return args;
    }
  };
  const refusal = (args: JsonObject): string | undefined => {
    if (fitting.has(args)) return undefined;
    try {
      const found = mistakes(args);
      return isFitting(found) ? undefined : textOf(found, { tool, name, fits });
    } catch (error) {
      if (isOpen) return undefined;
      return `the schema of the tool's parameters cannot be used: ${errorText(error)}`;
    }
  };
  return { understood, refusal, filled };
}

const isFitting = ({ problems, unknown }: ArgumentsProblems): boolean => problems.length === 0 && unknown.length === 0;

/** Arguments after the tool's preparation, as JSON. */
function preparedBy(tool: CheckedTool, args: JsonObject): JsonObject {
  if (tool.prepareArguments === undefined) return args;
  const prepared = attempt(() => jsonValue(JSON.stringify(tool.prepareArguments?.(args))));
  return isJsonObject(prepared) ? prepared : args;
}

function defaultsOf(parameters: JsonObject): (args: JsonObject) => JsonObject {
  let hasDefaults: boolean | undefined;
  return (args) => {
    hasDefaults ??= JSON.stringify(parameters).includes('"default":');
    return hasDefaults ? fillDefaults(parameters, args) : args;
  };
}

/** The check of a remote schema: parts that are not understood reject nothing. */
function foreignCheck(parameters: JsonObject): SchemaCheck {
  let check: SchemaCheck | undefined;
  return (args) => {
    check ??= schemaCheck(checkable(parameters));
    return check(args);
  };
}

// These modules are not needed before the first call, and a check cannot wait for them.

function unknownNamesFor({
  parameters,
  parameterHabits,
}: CheckedTool): (args: JsonObject) => ArgumentsProblems["unknown"] {
  const { unknownNames }: typeof import("./argument-names.ts") = require("./argument-names.ts");
  return unknownNames(parameters, parameterHabits);
}

function checkable(parameters: JsonObject): JsonObject {
  const {
    checkableSchema,
  }: typeof import("@mdx-ai/models/checkable-schema") = require("@mdx-ai/models/checkable-schema");
  return checkableSchema(parameters);
}

function textOf(problems: ArgumentsProblems, call: RefusedCall): string {
  const { refusalText }: typeof import("./refusal-text.ts") = require("./refusal-text.ts");
  return refusalText(problems, call);
}

import { attempt, isJsonObject, type JsonObject, jsonValue } from "@mdx-ai/base";
import type { BuiltinTool, ForeignTool } from "@mdx-ai/loop";
import { fillDefaults, type SchemaCheck, type SchemaProblem, schemaCheck } from "@mdx-ai/parser";
import { errorText } from "../error-text.ts";
import type { ArgumentsProblems, RefusedCall } from "./refusal-text.ts";

/** Understands and checks the arguments of a call, and completes them, before a tool receives them. */
export interface ArgumentsCheck {
  /** What the arguments mean by the schema; the same object if they fit as they are. Never rejects. */
  understood(args: JsonObject): Promise<JsonObject>;
  /** Why they do not fit, naming each parameter and what was expected; undefined if they fit. Never throws. */
  refusal(args: JsonObject): string | undefined;
  /** Arguments that fit, completed with defaults; the given ones are not changed. */
  filled(args: JsonObject): JsonObject;
}

type CheckedTool = BuiltinTool & Partial<ForeignTool>;

/**
 * The check of the arguments of a tool, which models call by `name`. Defaults are filled in first. An unusable schema is a
 * reason to refuse too. A tool that somebody else runs gets its arguments without defaults, with names that its schema does not
 * mention, and with anything if its schema cannot be used.
 */
export function argumentsCheck(tool: CheckedTool, name: string = tool.name): ArgumentsCheck {
  const { parameters, parameterHabits: habits, takesOtherNames: isOpen = false } = tool;
  const problemsOf = isOpen ? foreignCheck(parameters) : schemaCheck(parameters);
  const completed = defaultsOf(parameters);
  const filled = isOpen ? (args: JsonObject) => args : completed;
  const check = (args: JsonObject): readonly SchemaProblem[] => problemsOf(completed(args));
  const mistakes = (args: JsonObject): ArgumentsProblems => ({
    problems: check(args),
    unknown: isOpen ? [] : unknownIn(args, tool),
  });
  // The loop understands a call, and then checks it.
  const fitting = new WeakSet<JsonObject>();
  const fits = (args: JsonObject, found = mistakes(args)): boolean => {
    if (isFitting(found)) fitting.add(args);
    return isFitting(found);
  };
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
      return fits(args, found) ? undefined : textOf(found, { tool, name, fits: (example) => fits(example) });
    } catch (error) {
      if (isOpen) return undefined;
      return `the schema of the tool's parameters cannot be used: ${errorText(error)}`;
    }
  };
  return { understood, refusal, filled };
}

const isFitting = ({ problems, unknown }: ArgumentsProblems): boolean => problems.length === 0 && unknown.length === 0;

/** Arguments that their tool has prepared, as JSON. */
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

/** The check of a schema that somebody else wrote: what cannot be understood in it refuses nothing. */
function foreignCheck(parameters: JsonObject): SchemaCheck {
  let check: SchemaCheck | undefined;
  return (args) => {
    check ??= schemaCheck(checkable(parameters));
    return check(args);
  };
}

// No request needs these modules before the first call, and a check cannot wait for them.

function unknownIn(args: JsonObject, { parameters, parameterHabits }: CheckedTool): ArgumentsProblems["unknown"] {
  const { unknownNames }: typeof import("./argument-names.ts") = require("./argument-names.ts");
  return unknownNames(args, parameters, parameterHabits);
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

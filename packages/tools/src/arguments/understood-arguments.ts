import { isBoundedJsonObject, isJsonObject, type JsonObject, type JsonValue, jsonValue, shellWord } from "@mdx-ai/base";
import type { ParameterHabits } from "@mdx-ai/loop";
import { understoodNames } from "./argument-names.ts";
import { understoodValues, type ValuesCheck } from "./argument-values.ts";
import { namesIn, viewsOf } from "./schema-views.ts";

/** What the arguments of a call are compared with. */
export interface ArgumentsRules {
  readonly parameters: JsonObject;
  readonly check: ValuesCheck;
  /** Whether names outside the schema stay, because the remote server checks them. */
  readonly isOpen: boolean;
  readonly habits?: ParameterHabits | undefined;
}

/** The most correction steps; a text with a list whose items have names of other programs needs several. */
const ROUNDS = 4;

/**
 * The arguments corrected by the schema. Valid and ambiguous parts stay; the check rejects the latter. Deterministic. Throws if
 * the schema cannot be used.
 */
export function understoodArguments(args: JsonObject, rules: ArgumentsRules): JsonObject {
  const { parameters, check, isOpen, habits } = rules;
  let current = args;
  for (let round = 0; round < ROUNDS; round++) {
    const inner = unwrapped(current, rules);
    const named = isOpen ? inner : understoodNames(inner, parameters, habits);
    const next = understoodValues(withCommandLines(named, habits), check);
    if (JSON.stringify(next) === JSON.stringify(current)) break;
    current = next;
  }
  return current;
}

/** The arguments with command lines in place of lists of words, quoted where a shell needs it, so that they run the same. */
function withCommandLines(args: JsonObject, habits: ParameterHabits | undefined): JsonObject {
  const found = (habits?.commandLines ?? []).flatMap((name): [string, string][] => {
    const line = commandLine(args[name]);
    return line === undefined ? [] : [[name, line]];
  });
  return found.length === 0 ? args : { ...args, ...Object.fromEntries(found) };
}

function commandLine(value: JsonValue | undefined): string | undefined {
  const words = Array.isArray(value) && value.every((word) => typeof word === "string") ? value : [];
  const [program = "", flag = "", script] = words;
  const isScript = words.length === 3 && /(?:^|\/)bash$/.test(program) && /^-l?c$/.test(flag);
  if (isScript) return script;
  // A blank in the first word suggests a list of commands; an operator suggests a line that was split at its blanks.
  const isWords = words.length > 1 && /^[\w./+-]+$/.test(program) && !words.some((word) => /^\d?[|&;<>]/.test(word));
  return isWords ? words.map(shellWord).join(" ") : undefined;
}

/** Names of an extra object in which models wrap all arguments. */
const WRAPPERS: readonly string[] = ["arguments", "args", "input", "parameters", "params", "kwargs", "tool_input"];

/** Names that may be beside it: the tool's name. */
const LABELS: readonly string[] = ["name", "tool", "tool_name", "function"];

const MAX_WRAPPERS = 3;

function unwrapped(args: JsonObject, rules: ArgumentsRules): JsonObject {
  let current = args;
  for (let depth = 0; depth < MAX_WRAPPERS; depth++) {
    const inner = withinWrapper(current, rules);
    if (inner === undefined) return current;
    current = inner;
  }
  return current;
}

function withinWrapper(args: JsonObject, { parameters, check, isOpen }: ArgumentsRules): JsonObject | undefined {
  const known = namesIn(viewsOf([parameters], parameters)) ?? [];
  const names = Object.keys(args);
  const wrappers = names.filter((name) => WRAPPERS.includes(name));
  const isAlone = names.every((name) => wrappers.includes(name) || LABELS.includes(name));
  const [wrapper] = wrappers;
  if (wrapper === undefined || wrappers.length > 1 || !isAlone || names.some((name) => known.includes(name))) {
    return undefined;
  }
  const inner = objectOf(args[wrapper]);
  // A remote tool that takes any name may know this one.
  return isOpen && check(args).length === 0 ? undefined : inner;
}

/** An object, or the object in a JSON text. */
function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  if (isJsonObject(value)) return value;
  const parsed = typeof value === "string" ? jsonValue(value) : undefined;
  return isBoundedJsonObject(parsed) ? parsed : undefined;
}

/** The arguments of a call whose text is not a JSON object: a JSON text of one, a list with one, or a word for no arguments. */
export function readArguments(text: string): JsonObject | undefined {
  let value: unknown = text;
  for (let depth = 0; depth < MAX_WRAPPERS && typeof value === "string"; depth++) {
    value = value.trim() === "" ? null : jsonValue(value);
  }
  if (value === null) return {};
  const [only, ...others] = Array.isArray(value) ? value : [value];
  return isBoundedJsonObject(only) && others.length === 0 ? only : undefined;
}

import { parseArgs } from "node:util";
import { didYouMean } from "@mdx-ai/base";
import { UsageError } from "../failures/program-error.ts";
import type { CommandSpec, OptionSpec, ParsedArguments } from "./command-spec.ts";
import { EVERYWHERE } from "./shared-options.ts";

/**
 * Parses the arguments after a command's name. Options may appear anywhere, as `--name value` or `--name=value`; the last one wins unless
 * the option is repeatable; a value may start with a dash; `--` ends the options. Throws `UsageError`.
 */
export async function parseArguments(spec: CommandSpec, args: readonly string[]): Promise<ParsedArguments> {
  const options = [...spec.options, ...EVERYWHERE];
  const tokens = argumentTokens(args, options);
  const positionals: string[] = [];
  const switches = new Set<string>();
  const values = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  let command: readonly string[] | undefined;
  for (const token of tokens) {
    if (token.kind === "rest") {
      if (spec.takesCommand) command = token.values;
      else positionals.push(...token.values);
      continue;
    }
    if (token.kind === "positional") {
      positionals.push(token.value);
      continue;
    }
    const { option, value } = readOption(spec, token, options);
    if (value === undefined) switches.add(option.name);
    else if (option.isRepeatable) lists.set(option.name, [...(lists.get(option.name) ?? []), value]);
    else values.set(option.name, value);
  }
  // A command line with --help may be incomplete.
  if (!switches.has("help")) checkCount(spec, positionals);
  return { positionals, switches, values, lists, ...(command !== undefined && { command }) };
}

/** An option with its value; without a value it is a switch. */
interface ReadOption {
  readonly option: OptionSpec;
  readonly value?: string | undefined;
}

function readOption(
  spec: CommandSpec,
  { rawName, value, isInline }: OptionToken,
  options: readonly OptionSpec[],
): ReadOption {
  const option = options.find(({ name, short }) => rawName === `--${name}` || rawName === `-${short}`);
  if (option === undefined) throw unknownOption(spec, rawName, options);
  if (option.value !== undefined && !(option.isValueOptional && value === undefined)) {
    return { option, value: readValue({ option, options, value, isInline }) };
  }
  if (value === undefined) return { option };
  throw new UsageError(`--${option.name} takes no value, but got ${JSON.stringify(value)}`);
}

function unknownOption(spec: CommandSpec, given: string, options: readonly OptionSpec[]): UsageError {
  const names = options.map(({ name }) => `--${name}`);
  const hint = didYouMean(given, names, `see mdx-ai ${spec.name} --help`);
  return new UsageError(`unknown option ${given}; ${hint}`);
}

interface GivenValue {
  readonly option: OptionSpec;
  readonly options: readonly OptionSpec[];
  readonly value: string | undefined;
  readonly isInline: boolean;
}

/** Rejects a value that is one of the command's options, since it was probably forgotten; `--name=value` allows it. */
function readValue({ option, options, value, isInline }: GivenValue): string {
  const isOption = !isInline && options.some(({ name }) => value === `--${name}` || value?.startsWith(`--${name}=`));
  if (value === undefined || isOption) {
    throw new UsageError(`--${option.name} needs a value: --${option.name} ${option.value}`);
  }
  return value;
}

function checkCount(spec: CommandSpec, positionals: readonly string[]): void {
  const usage = `mdx-ai ${spec.name} ${spec.positionals}`;
  if (positionals.length < spec.minimum) throw new UsageError(`an argument is missing; usage: ${usage}`);
  // An empty shell variable must not mean the current folder.
  if (positionals.includes("")) throw new UsageError(`an argument is empty; usage: ${usage}`);
  const surplus = positionals[spec.maximum];
  if (surplus === undefined) return;
  throw new UsageError(
    `unexpected argument ${JSON.stringify(surplus)}; usage: ${usage}${spec.takesCommand ? "" : " (put a text with spaces in quotes)"}`,
  );
}

/** An option as written. */
interface OptionToken {
  readonly kind: "option";
  /** Without dashes. */
  readonly name: string;
  /** With its dashes, without its value. */
  readonly rawName: string;
  /** Absent if none was given. */
  readonly value?: string | undefined;
  /** Whether the value was written as `--name=value`. */
  readonly isInline: boolean;
}

/** A part of a command line. `rest` is everything after `--`. */
export type ArgumentToken =
  | OptionToken
  | { readonly kind: "positional"; readonly value: string }
  | { readonly kind: "rest"; readonly values: readonly string[] };

/** An option that a command knows. */
export interface KnownOption {
  readonly name: string;
  readonly short?: string;
  /** Set if the option takes a value. */
  readonly value?: string;
  readonly isValueOptional?: boolean;
}

/** Splits arguments into options and others without validating them. */
export function argumentTokens(args: readonly string[], known: readonly KnownOption[]): readonly ArgumentToken[] {
  const options = Object.fromEntries(known.map((option) => [option.name, optionConfig(option)]));
  const tokens: ArgumentToken[] = [];
  for (const token of parseArgs({ args: [...args], options, tokens: true, strict: false }).tokens) {
    if (token.kind === "option-terminator") return [...tokens, { kind: "rest", values: args.slice(token.index + 1) }];
    if (token.kind === "positional") tokens.push({ kind: "positional", value: token.value });
    else tokens.push(optionToken(token));
  }
  return tokens;
}

const optionConfig = ({ short, value, isValueOptional }: KnownOption) =>
  ({
    type: value === undefined || isValueOptional ? "boolean" : "string",
    ...(short !== undefined && { short }),
  }) as const;

const optionToken = ({ name, rawName, value, inlineValue }: GivenOption): OptionToken => ({
  ...{ kind: "option", name, rawName, value, isInline: inlineValue ?? false },
});

/** An option as `parseArgs` returns it. */
interface GivenOption {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/** An action of a command, such as `sessions DIR show ID`. */
export interface CommandAction<Run> {
  /** Its arguments as in the help. Those in brackets are optional; a last one with "…" may be repeated. */
  readonly words: readonly string[];
  /** The options that it takes. */
  readonly options: readonly string[];
  /** Returns the exit code; undefined means 0. */
  readonly run: (run: Run) => void | Promise<void> | Promise<number>;
}

/** The action to run, and its command. */
export interface ActionCall {
  readonly command: string;
  readonly name: string;
  readonly words: readonly string[];
  readonly args: ParsedArguments;
}

/** Finds the action of a call and checks its arguments and options. Throws `UsageError`. */
export function calledAction<Run>(
  actions: ReadonlyMap<string, CommandAction<Run>>,
  { command, name, words, args }: ActionCall,
): CommandAction<Run> {
  const action = actions.get(name);
  if (action === undefined) {
    throw new UsageError(`unknown action ${JSON.stringify(name)}; available: ${[...actions.keys()].join(", ")}`);
  }
  if (!takesWords(action.words, words.length)) {
    throw new UsageError(
      `wrong arguments for ${command} ${name}; write: mdx-ai ${command} DIR ${[name, ...action.words].join(" ")}`,
    );
  }
  const given = [...args.values.keys(), ...args.switches].filter((option) => !EVERY_ACTION.includes(option));
  const stray = given.find((option) => !action.options.includes(option));
  if (stray !== undefined) throw new UsageError(`--${stray} is not an option of ${command} ${name}; leave it out`);
  return action;
}

/** Options that every action accepts. */
const EVERY_ACTION: readonly string[] = ["data", "user", "debug"];

function takesWords(words: readonly string[], count: number): boolean {
  const needed = words.filter((word) => !word.startsWith("[")).length;
  const isOpen = words.at(-1)?.replace("]", "").endsWith("…") === true;
  return count >= needed && (isOpen || count <= words.length);
}

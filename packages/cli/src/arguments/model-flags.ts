import { unlocated, validate } from "@mdx-ai/base/schema";
import type { ModelChoice } from "@mdx-ai/directory";
import { type Configuration, type ConfigurationValues, configurationSchema, FLAGS, modelList } from "@mdx-ai/models";
import { UsageError } from "../failures/program-error.ts";
import type { ParsedArguments } from "./command-spec.ts";
import { numberOf, textOption } from "./option-values.ts";

type FieldName = keyof ConfigurationValues & keyof typeof FLAGS;

/** Reads the model settings of a command line. Throws `UsageError`. */
export function readModelChoice(args: ParsedArguments): ModelChoice {
  const flags = readFlags(args);
  const configuration = textOption(args, "config", "a file");
  return { flags, ...(configuration !== undefined && { configuration }) };
}

function readFlags(args: ParsedArguments): Configuration {
  const flag = <Name extends FieldName>(name: Name, read: (text: string) => unknown, expected?: string) =>
    fieldOf(args, name, { read, expected });
  const model = flag("model", modelsOf);
  const temperature = flag("temperature", numberOf);
  const maxTokens = flag("max_tokens", numberOf);
  const thinking = flag("thinking", thinkingOf, "`adaptive`, `off` or a budget of tokens");
  const effort = flag("reasoning_effort", (text) => text);
  const retries = flag("retries", retriesOf);
  const timeout = flag("timeout", numberOf);
  return {
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(thinking !== undefined && { thinking }),
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...(retries !== undefined && { retries }),
    ...(timeout !== undefined && { timeout }),
    ...(args.switches.has("no-stream") && { stream: false }),
    ...(args.switches.has("no-offline") && { offline: false }),
  };
}

/** How to read a flag's text, and the description of its value. Default: the schema's. */
interface FlagText {
  readonly read: (text: string) => unknown;
  readonly expected?: string | undefined;
}

function fieldOf<Name extends FieldName>(
  args: ParsedArguments,
  name: Name,
  { read, expected = configurationSchema.properties?.[name]?.title }: FlagText,
): ConfigurationValues[Name] | undefined {
  const flag = FLAGS[name];
  const text = args.values.get(flag.slice(2));
  if (text === undefined) return undefined;
  const { value = {}, problems } = validate(configurationSchema, unlocated({ [name]: read(text) }));
  if (problems.length === 0) return value[name];
  throw new UsageError(`${flag} needs ${expected}, but got ${JSON.stringify(text)}`);
}

/** A single value is kept as it is, since a path may contain the list separator. */
const modelsOf = (text: string): unknown => (text.includes(",") ? modelList(text) : text);

const thinkingOf = (text: string): unknown => (/^\d+$/.test(text) ? { budget: Number(text) } : text);

const retriesOf = (text: string): unknown => (text.includes(",") ? text.split(",").map(numberOf) : numberOf(text));

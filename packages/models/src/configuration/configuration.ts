import { isRecord } from "@mdx-ai/base";
import type { ModelTarget } from "../open-model.ts";
import type { Thinking } from "../types/language-model.ts";
import type { Access, Api, Sourced } from "../vendors/access.ts";
import { vendorNamed, vendors } from "../vendors/vendors.ts";

/** All that a configuration may say, under the names of its fields. */
export interface ConfigurationValues {
  /** The vendor of `model`, and whose `api_key`, `base_url`, `api_version` and `api` these are. */
  readonly vendor: string;
  /** A model; in a list, each is the fallback of the one before it. */
  readonly model: string | readonly string[];
  readonly api_key: string;
  readonly base_url: string;
  /** Azure's version of its interface. */
  readonly api_version: string;
  /** Which of OpenAI's interfaces is asked. */
  readonly api: Api;
  readonly temperature: number;
  readonly max_tokens: number;
  /** Seconds of silence after which an answer counts as broken. */
  readonly timeout: number;
  readonly thinking: Thinking;
  readonly reasoning_effort: string;
  readonly stream: boolean;
  /** How often a failed model call is repeated, or the seconds before each repetition. */
  readonly retries: number | readonly number[];
  /** Whether the offline model answers if no model is configured. */
  readonly offline: boolean;
}

/** What one source says. */
export type Configuration = Partial<ConfigurationValues>;

/** What an agent's author may say; keys and addresses are the user's alone. */
export type AuthorConfiguration = Omit<Configuration, "vendor" | "api_key" | "base_url" | "api_version" | "api">;

/** How a field of a configuration is read. */
export interface Field<Value> {
  /** Ends "expected …". */
  readonly expected: string;
  /** The value if it is valid; else undefined. */
  read(value: unknown): Value | undefined;
}

const field = <Value>(expected: string, accepts: (value: unknown) => value is Value): Field<Value> => ({
  expected,
  read: (value) => (accepts(value) ? value : undefined),
});

const isText = (value: unknown): value is string => typeof value === "string" && /\S/.test(value);
const isWord = (value: unknown): value is string => typeof value === "string" && /^\S+$/.test(value);
const isSwitch = (value: unknown): value is boolean => typeof value === "boolean";
const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === "number" && value >= least && value <= most;
const isCount = (value: unknown, least: number, most: number): value is number =>
  isWithin(value, least, most) && Number.isInteger(value);

const isListOf = <Item>(value: unknown, accepts: (item: unknown) => item is Item): value is readonly Item[] =>
  Array.isArray(value) && value.length > 0 && value.length <= 10 && value.every((item: unknown) => accepts(item));

const isAddress = (value: unknown): value is string =>
  typeof value === "string" && /^https?:$/.test(URL.parse(value)?.protocol ?? "");

const isBudget = (value: unknown): value is { readonly budget: number } =>
  isRecord(value) && Object.keys(value).length === 1 && isCount(value["budget"], 1, Number.MAX_SAFE_INTEGER);

const isThinking = (value: unknown): value is Thinking => value === "adaptive" || value === "off" || isBudget(value);

const isApi = (value: unknown): value is Api => value === "chat" || value === "responses";

const isWait = (value: unknown): value is number => isWithin(value, 0, 3600);

/** The one schema of a configuration, whatever it is written in. */
export const fields: { readonly [Name in keyof ConfigurationValues]: Field<ConfigurationValues[Name]> } = {
  vendor: field(
    `one of ${vendors.map(({ name }) => name).join(", ")}`,
    (value): value is string => typeof value === "string" && vendorNamed(value) !== undefined,
  ),
  model: field(
    "a model such as anthropic/claude-sonnet-5-5, or a list of up to 10",
    (value) => isText(value) || isListOf(value, isText),
  ),
  api_key: field("a text", isText),
  base_url: field("an http or https URL", isAddress),
  api_version: field("a version such as 2024-02-01", isWord),
  api: field("chat or responses", isApi),
  temperature: field("a number from 0 to 2", (value) => isWithin(value, 0, 2)),
  max_tokens: field("a whole number of at least 1", (value) => isCount(value, 1, Number.MAX_SAFE_INTEGER)),
  timeout: field(
    "a number of seconds above 0, up to 86400",
    (value): value is number => isWithin(value, 0, 86_400) && value > 0,
  ),
  thinking: field("adaptive, off or a budget of tokens", isThinking),
  reasoning_effort: field("a word such as low, medium or high", isWord),
  stream: field("true or false", isSwitch),
  retries: field(
    "a whole number from 0 to 10, or a list of up to 10 numbers of seconds such as 5, 15, 45",
    (value) => isCount(value, 0, 10) || isListOf(value, isWait),
  ),
  offline: field("true or false", isSwitch),
};

/** Whether there is a field of that name. */
export const isFieldName = (name: string): name is keyof ConfigurationValues => Object.hasOwn(fields, name);

/** The models of a text such as `a, b`; undefined if one is empty. Paths with commas can only come from other sources. */
export function modelList(text: string): readonly string[] | undefined {
  const names = text.split(",").map((name) => name.trim());
  return [fields.model.read(names) ?? []].flat().length === 0 ? undefined : names;
}

/** A model of a configuration. */
export interface ResolvedModel {
  /** As the user may write it, such as "openai/gpt-5.4". */
  readonly reference: Sourced<string>;
  /** The same, parsed, with how its vendor is reached. The key is secret: never to be shown. */
  readonly target: ModelTarget;
}

/** How a model's vendor is reached; absent if the model has no vendor. */
export const accessOf = ({ target }: ResolvedModel): Access | undefined =>
  target.provider === "vendor" ? target.access : undefined;

/** What all sources say together. Frozen. */
export interface ResolvedConfiguration {
  /** The model and its fallbacks; empty if none is configured and the offline model is forbidden. */
  readonly models: readonly ResolvedModel[];
  /** The keys that sources hold, those of other vendors included. Secret: never to be shown. */
  readonly keys: readonly string[];
  readonly temperature: Sourced<number> | undefined;
  readonly max_tokens: Sourced<number> | undefined;
  readonly thinking: Sourced<Thinking> | undefined;
  readonly reasoning_effort: Sourced<string> | undefined;
  readonly stream: Sourced<boolean>;
  readonly retries: Sourced<number | readonly number[]>;
  readonly timeout: Sourced<number>;
}

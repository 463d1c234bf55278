import { isRecord } from "../json.ts";
import type { Api } from "../prices/model-api.ts";
import type { Thinking } from "../types/language-model.ts";
import { vendorNamed, vendors } from "../vendors/vendors.ts";
import type { ConfigurationValues } from "./configuration.ts";

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

/** The models of a text such as `a, b`; undefined if it is none. A path that holds a comma is for other sources. */
export function modelList(text: string): readonly string[] | undefined {
  const names = text.split(",").map((name) => name.trim());
  return [fields.model.read(names) ?? []].flat().length === 0 ? undefined : names;
}

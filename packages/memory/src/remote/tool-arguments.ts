import type { JsonObject, JsonValue } from "@mdx-ai/models";
import { isJsonObject, isRecord } from "@mdx-ai/parser/record";
import { cutText } from "../cut-text.ts";

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/** Arguments by the names of this program; what is undefined is not sent. */
export type GivenArguments = Readonly<Record<string, JsonValue | undefined>>;

/** The names that builds of the service have for one argument, the newest first. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  top_k: ["top_ke", "top_k", "limit"],
  conversation_time: ["conversation_time", "created_at"],
};

/**
 * The arguments as a tool takes them: with the names and types of its schema, and within its limits of length and size. What it does not
 * know is left out. A schema without properties takes all as they are.
 */
export function toolArguments({ inputSchema }: ListedTool, given: GivenArguments): JsonObject {
  const { properties } = inputSchema;
  const known = isRecord(properties) ? properties : undefined;
  const entries = Object.entries(given).flatMap(([name, value]): [string, JsonValue][] => {
    if (value === undefined) return [];
    const sent = known === undefined ? name : sentName(name, known);
    return sent === undefined ? [] : [[sent, fitted(value, known?.[sent])]];
  });
  return Object.fromEntries(entries);
}

/** Whether a tool takes an argument. */
export function takes({ inputSchema }: ListedTool, name: string): boolean {
  const { properties } = inputSchema;
  return isRecord(properties) && sentName(name, properties) !== undefined;
}

/** The arguments that a tool requires and that are not there. */
export function missingArguments({ inputSchema }: ListedTool, args: JsonObject): readonly string[] {
  const { required } = inputSchema;
  if (!Array.isArray(required)) return [];
  return required.flatMap((name) => (typeof name === "string" && !Object.hasOwn(args, name) ? [name] : []));
}

const sentName = (name: string, known: Readonly<Record<string, unknown>>): string | undefined =>
  (NAMES[name] ?? [name]).find((one) => Object.hasOwn(known, one));

function fitted(value: JsonValue, schema: unknown): JsonValue {
  const { type, maxLength, minimum, maximum } = isRecord(schema) ? schema : {};
  const isTyped = (name: string): boolean => type === name || (Array.isArray(type) && type.includes(name));
  if (typeof value === "number") {
    const within = Math.min(Math.max(value, numberOr(minimum, value)), numberOr(maximum, value));
    return isTyped("string") ? String(within) : within;
  }
  if (typeof value === "string") return cutText(value, numberOr(maxLength, Number.POSITIVE_INFINITY));
  if (!isJsonObject(value)) return value;
  return isTyped("string")
    ? cutText(JSON.stringify(value), numberOr(maxLength, Number.POSITIVE_INFINITY))
    : fittedMap(value, schema);
}

/** Tags, within the limits of their number and length. */
function fittedMap(value: JsonObject, schema: unknown): JsonObject {
  const { additionalProperties, maxProperties } = isRecord(schema) ? schema : {};
  const entries = Object.entries(value).slice(0, numberOr(maxProperties, Number.POSITIVE_INFINITY));
  return Object.fromEntries(
    entries.flatMap(([name, inner]) => (inner === undefined ? [] : [[name, fitted(inner, additionalProperties)]])),
  );
}

const numberOr = (value: unknown, other: number): number => (typeof value === "number" ? value : other);

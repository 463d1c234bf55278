import { errorMessage, isJsonObject, type JsonObject, type JsonValue } from "@mdx-ai/base";
import { UsageError } from "../failures/program-error.ts";

/**
 * Reads a tool's arguments from the command line: a JSON object, and `key=value` pairs, which override it. The tool's schema gives the type
 * of each value; the value of `key:=value` is JSON. Throws `UsageError`. Does not validate the arguments as a whole.
 */
export function toolArguments(schema: JsonObject, pairs: readonly string[], json: string | undefined): JsonObject {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const entries = pairs.map((pair) => readPair(pair, properties));
  return { ...(json === undefined ? {} : readObject(json)), ...Object.fromEntries(entries) };
}

function readPair(pair: string, properties: JsonObject): readonly [string, JsonValue] {
  const border = pair.indexOf("=");
  if (border <= 0) throw new UsageError(`unexpected argument ${JSON.stringify(pair)}, expected key=value`);
  const key = pair.slice(0, border);
  if (key.length > 1 && key.endsWith(":"))
    return [key.slice(0, -1), readJson(key.slice(0, -1), pair.slice(border + 1))];
  return [key, readValue(key, pair.slice(border + 1), properties[key])];
}

function readValue(key: string, text: string, property: JsonValue | undefined): JsonValue {
  const said = isJsonObject(property) ? property["type"] : undefined;
  const types: readonly JsonValue[] = Array.isArray(said) ? said : [said ?? ""];
  if (text === "null" && types.includes("null")) return null;
  const [type, second] = types.filter((name) => name !== "null");
  switch (second === undefined ? type : undefined) {
    case "string":
      return text;
    case "number":
    case "integer":
      return readNumber(key, text);
    case "boolean":
      if (text === "true" || text === "false") return text === "true";
      throw new UsageError(`${key} needs true or false, but got ${JSON.stringify(text)}`);
    default:
      return readLoosely(text);
  }
}

function readJson(key: string, text: string): JsonValue {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonValue(value)) return value;
  } catch {}
  throw new UsageError(`${key}:= needs JSON, but got ${JSON.stringify(text)}`);
}

function readNumber(key: string, text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new UsageError(`${key} needs a number, but got ${JSON.stringify(text)}`);
}

/** For values without a simple type in the schema: parses JSON, else keeps the text. */
function readLoosely(text: string): JsonValue {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonValue(value) ? value : text;
  } catch {
    return text;
  }
}

function readObject(json: string): JsonObject {
  try {
    const value: unknown = JSON.parse(json);
    if (isJsonValue(value) && isJsonObject(value)) return value;
  } catch (error) {
    throw new UsageError(`--json is not valid JSON: ${errorMessage(error)}`);
  }
  throw new UsageError('--json needs a JSON object, such as \'{"city": "Vienna"}\'');
}

/** Narrows a value that `JSON.parse` returned. */
function isJsonValue(value: unknown): value is JsonValue {
  return value !== undefined;
}

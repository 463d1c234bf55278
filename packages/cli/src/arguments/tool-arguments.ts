import { errorMessage, isJsonObject, type JsonObject, type JsonValue } from "@mdx-ai/base";
import { UsageError } from "../failures/program-error.ts";

/**
 * The arguments of a tool from the command line: a JSON object, and `key=value` pairs, which override it. A value is
 * read by the type that the tool's schema gives its key; `key:=value` is JSON. Throws `UsageError`; the tool's schema
 * checks the arguments as a whole.
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
      throw new UsageError(`${key} needs true or false, and got ${JSON.stringify(text)}`);
    default:
      return readLoosely(text);
  }
}

function readJson(key: string, text: string): JsonValue {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonValue(value)) return value;
  } catch {}
  throw new UsageError(`${key}:= needs JSON, and got ${JSON.stringify(text)}`);
}

function readNumber(key: string, text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new UsageError(`${key} needs a number, and got ${JSON.stringify(text)}`);
}

/** Without a simple type in the schema: the JSON value if the text is JSON, else the text. */
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
    throw new UsageError(`--json holds no JSON: ${errorMessage(error)}`);
  }
  throw new UsageError('--json needs a JSON object, such as \'{"city": "Vienna"}\'');
}

/** What comes from `JSON.parse` is always one; this narrows its type. */
function isJsonValue(value: unknown): value is JsonValue {
  return value !== undefined;
}

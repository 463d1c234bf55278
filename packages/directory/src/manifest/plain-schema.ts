import { isJsonList, isJsonObject, type JsonSchema, type JsonValue } from "@mdx-ai/base";

/** A schema without its prose. Names of parameters are kept, whatever they are. */
export function withoutProse(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !PROSE.includes(key))
      .map(([key, value]) => [key, NAMED.includes(key) ? ofEachName(value) : inner(value, key)]),
  );
}

const PROSE: readonly string[] = ["description", "title", "$comment", "examples"];

/** Keywords whose keys are names, not keywords. */
const NAMED: readonly string[] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/** Keywords whose values are data, in which a key `description` is data, too. */
const DATA: readonly string[] = ["default", "const", "enum", "required", "dependentRequired"];

function ofEachName(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, inner(schema, "")]));
}

function inner(value: JsonValue, key: string): JsonValue {
  if (DATA.includes(key)) return value;
  if (isJsonList(value)) return value.map((item) => inner(item, ""));
  return isJsonObject(value) ? withoutProse(value) : value;
}

import type { JsonSchema, JsonValue } from "@mdx-ai/parser";

export const isJsonList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

/** Whether it is an object, such as a schema. */
export const isJsonObject = (value: JsonValue | undefined): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

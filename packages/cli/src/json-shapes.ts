import type { JsonSchema, JsonValue } from "@mdx-ai/parser";
import { isRecord } from "@mdx-ai/parser/record";

export const isJsonList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

/** Whether a value that came out of JSON is an object, such as a schema. */
export const isJsonObject = (value: unknown): value is JsonSchema => isRecord(value);

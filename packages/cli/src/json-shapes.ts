import type { JsonValue } from "@mdx-ai/parser";

export const isJsonList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

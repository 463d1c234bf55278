import { isRecord } from "./record.ts";
import type { JsonObject } from "./types/json.ts";

/** Reads a text that should be a JSON object; `undefined` where it is anything else. Never throws. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value that came out of JSON is an object. What it holds is then JSON too, so it is not looked at. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

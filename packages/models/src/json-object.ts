import { isRecord } from "./record.ts";
import type { JsonObject } from "./types/json.ts";

/** Levels of objects and lists within each other; what is deeper overflows the stack of whoever walks through it. */
const mostLevels = 200;

/** The value of a text of JSON; undefined if the text is no JSON. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a text that should be a JSON object; `undefined` where it is anything else. Never throws. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const value = jsonValue(text);
  return isJsonObject(value) ? value : undefined;
}

/**
 * Whether a value that came out of JSON is an object that can be written as JSON again: 200 levels deep at most, and
 * without numbers that are too large to be kept, such as 1e999.
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value) && isKept(value, mostLevels);
}

function isKept(value: unknown, levels: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isKept(item, levels - 1));
}

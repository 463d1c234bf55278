import { isRecord } from "@mdx-ai/base";
import type { AssistantMessage, StopReason, ToolResultMessage, UserMessage } from "./types/message.ts";

// Handwritten, because they check whole journals; a table of guards or a schema library takes ten times as long.
const stopReasons: ReadonlySet<unknown> = new Set<StopReason>([
  "stop",
  "toolUse",
  "length",
  "pause",
  "refusal",
  "contextExceeded",
  "aborted",
  "error",
]);

/** Whether a parsed JSON value is an `AssistantMessage`. Ignores unknown fields. */
export function isAssistantMessage(value: unknown): value is AssistantMessage {
  return (
    isRecord(value) &&
    value["role"] === "assistant" &&
    everyItem(value["content"], isAssistantContent) &&
    typeof value["provider"] === "string" &&
    typeof value["model"] === "string" &&
    isOptionalString(value["responseModel"]) &&
    isUsage(value["usage"]) &&
    stopReasons.has(value["stopReason"]) &&
    isOptionalString(value["errorMessage"]) &&
    isOptionalString(value["warning"]) &&
    isTime(value["timestamp"])
  );
}

/** Whether a parsed JSON value is a `UserMessage`. Ignores unknown fields. */
export function isUserMessage(value: unknown): value is UserMessage {
  return (
    isRecord(value) &&
    value["role"] === "user" &&
    everyItem(value["content"], isUserContent) &&
    isOptionalString(value["typed"]) &&
    isTime(value["timestamp"])
  );
}

/** Whether a parsed JSON value is a `ToolResultMessage`. Ignores unknown fields. */
export function isToolResultMessage(value: unknown): value is ToolResultMessage {
  return (
    isRecord(value) &&
    value["role"] === "toolResult" &&
    typeof value["toolCallId"] === "string" &&
    typeof value["toolName"] === "string" &&
    everyItem(value["content"], isUserContent) &&
    typeof value["isError"] === "boolean" &&
    isTime(value["timestamp"]) &&
    ["undefined", "number"].includes(typeof value["waited"])
  );
}

function everyItem(value: unknown, accepts: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(accepts);
}

function isAssistantContent(value: unknown): boolean {
  if (!isRecord(value)) return false;
  switch (value["type"]) {
    case "text":
      return typeof value["text"] === "string" && isOptionalString(value["signature"]);
    case "thinking":
      return (
        typeof value["thinking"] === "string" &&
        isOptionalString(value["signature"]) &&
        isOptionalString(value["redacted"])
      );
    case "toolCall":
      return (
        typeof value["id"] === "string" &&
        typeof value["name"] === "string" &&
        isRecord(value["arguments"]) &&
        isOptionalString(value["malformed"]) &&
        isOptionalString(value["signature"])
      );
    default:
      return false;
  }
}

function isUserContent(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value["type"] === "text") return typeof value["text"] === "string";
  return value["type"] === "image" && typeof value["data"] === "string" && typeof value["mimeType"] === "string";
}

function isUsage(value: unknown): boolean {
  return (
    isRecord(value) &&
    ["input", "output", "cacheRead", "cacheWrite", "thinking", "total"].every((name) => isAmount(value[name])) &&
    (value["estimated"] === undefined || value["estimated"] === true)
  );
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** The latest time of a `Date`, in milliseconds since 1970. */
const LAST_TIME = 8.64e15;

/** Whether a parsed JSON value is a time in milliseconds since 1970 that a `Date` can represent. */
export function isTime(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= LAST_TIME;
}

function isOptionalString(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

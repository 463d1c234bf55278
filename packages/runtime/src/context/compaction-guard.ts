import { isAssistantMessage, isUserMessage } from "@mdx-ai/models";
import { isRecord } from "../record.ts";
import type { Compaction } from "../types/compaction.ts";
import type { CompactionFailure, CompactionOutcome } from "./compact.ts";

/** Whether a value that came out of JSON is a `Compaction`. Fields beyond the type's are let pass. */
export function isCompaction(value: unknown): value is Compaction {
  return (
    isRecord(value) &&
    typeof value["summary"] === "string" &&
    ["replaced", "made", "before", "after", "timestamp"].every((name) => isNumber(value[name])) &&
    (value["measured"] === "provider" || value["measured"] === "estimate") &&
    isUserMessage(value["message"]) &&
    Array.isArray(value["kept"]) &&
    value["kept"].every(isKept) &&
    isAssistantMessage(value["answer"])
  );
}

/** Whether a value that came out of JSON is what `compact` resolves to. */
export function isCompactionOutcome(value: unknown): value is CompactionOutcome {
  return isCompaction(value) || isFailure(value);
}

function isFailure(value: unknown): value is CompactionFailure {
  return (
    isRecord(value) &&
    typeof value["reason"] === "string" &&
    (value["answer"] === undefined || isAssistantMessage(value["answer"]))
  );
}

function isKept(value: unknown): boolean {
  if (!isRecord(value) || (value["kind"] !== "input" && value["kind"] !== "skill")) return false;
  return isUserMessage({ role: "user", content: value["content"], timestamp: 0 });
}

const isNumber = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value);

import { isList, isRecord } from "@mdx-ai/base";
import type { ChatMessage, MemoryToolCall } from "./chat-message.ts";
import { type ControlState, isControlState } from "./protocol.ts";

/** A line of a thread's journal. Thread state is derived from these lines alone. */
export type ThreadEvent =
  /** An invocation started. Its message has an id. */
  | { readonly type: "invoked"; readonly control: ControlState; readonly message?: ChatMessage }
  /** The model made a call, which is not executed yet. */
  | { readonly type: "called"; readonly call: MemoryToolCall }
  /** The call was executed. */
  | { readonly type: "executed"; readonly content: string }
  /** The invocation ended; `retrieved` is the text that the memory returned. */
  | { readonly type: "ended"; readonly content: string; readonly retrieved?: readonly ChatMessage[] }
  /** The invocation was abandoned, because a retry would fail too. */
  | { readonly type: "failed"; readonly reason: string };

/** Whether a parsed JSON value is a line of a thread's journal. */
export function isThreadEvent(value: unknown): value is ThreadEvent {
  if (!isRecord(value)) return false;
  switch (value["type"]) {
    case "invoked":
      return isControlState(value["control"]) && (value["message"] === undefined || isChatMessage(value["message"]));
    case "called":
      return isRecord(value["call"]) && typeof value["call"]["name"] === "string" && isRecord(value["call"]["args"]);
    case "executed":
      return typeof value["content"] === "string";
    case "ended":
      return (
        typeof value["content"] === "string" &&
        (value["retrieved"] === undefined || isList(value["retrieved"], isChatMessage))
      );
    case "failed":
      return typeof value["reason"] === "string";
    default:
      return false;
  }
}

/** Whether a parsed JSON value is a message of a recorded conversation. */
export const isChatMessage = (value: unknown): value is ChatMessage =>
  isRecord(value) &&
  typeof value["role"] === "string" &&
  typeof value["content"] === "string" &&
  ["id", "at"].every((name) => value[name] === undefined || typeof value[name] === "string") &&
  (value["tags"] === undefined ||
    (isRecord(value["tags"]) && Object.values(value["tags"]).every((tag) => typeof tag === "string")));

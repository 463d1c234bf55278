import type { AssistantMessage, JsonObject, Message, ModelEvent, ToolResultMessage } from "@mdx-ai/models";
import type { PromptOutcome } from "./module.ts";
import type { ToolResult } from "./tool.ts";

/** What `message_update` carries of the model's stream: all of it but its ends. */
export type AssistantMessageEvent = Exclude<ModelEvent, { type: "start" | "done" | "error" }>;

/**
 * What an agent tells while it works off one prompt, in this order: `agent_start`, then for each turn `turn_start`,
 * its messages and tools, `turn_end`, then `agent_end`, always last. The payloads are those of pi-agent-core.
 */
export type AgentEvent =
  | { readonly type: "agent_start" }
  | { readonly type: "turn_start" }
  | { readonly type: "message_start"; readonly message: Message }
  | {
      readonly type: "message_update";
      readonly message: AssistantMessage;
      readonly assistantMessageEvent: AssistantMessageEvent;
    }
  | { readonly type: "message_end"; readonly message: Message }
  | {
      readonly type: "tool_execution_start";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: JsonObject;
    }
  | {
      readonly type: "tool_execution_update";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: JsonObject;
      readonly partialResult: ToolResult;
    }
  | {
      readonly type: "tool_execution_end";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly result: ToolResult;
      readonly isError: boolean;
    }
  | {
      readonly type: "turn_end";
      readonly message: AssistantMessage;
      readonly toolResults: readonly ToolResultMessage[];
    }
  | { readonly type: "limit_reached"; readonly limit: "turns"; readonly value: number }
  | { readonly type: "agent_end"; readonly messages: readonly Message[]; readonly outcome: PromptOutcome };

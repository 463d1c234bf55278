import type { JsonObject } from "@mdx-ai/base";
import type { AssistantMessage, Cost, Message, ModelEvent, ModelParameters, ToolResultMessage } from "@mdx-ai/models";
import type { ReachedLimit } from "./limit.ts";
import type { Answer, Question } from "./question.ts";
import type { ToolResult } from "./tool.ts";
import type { ToolLabel } from "./tool-label.ts";

/** Why a prompt ended. */
export type PromptOutcome = "done" | "error" | "aborted" | "limit";

/** The hooks around prompts and tool calls. */
export type PromptHook = "beforePrompt" | "beforeTool" | "afterTool" | "beforeEnd" | "afterPrompt";

/** The model's stream events in `message_update`: all except the final ones. */
export type AssistantMessageEvent = Exclude<ModelEvent, { type: "start" | "done" | "error" }>;

/** The source of a token count: based on the provider's count of the last request, or an estimate alone. */
export type TokenMeasure = "provider" | "estimate";

/** Tokens of a session's next request before and after a summary replaced older messages. */
export interface CompactionReport {
  readonly before: number;
  readonly after: number;
  readonly measured: TokenMeasure;
}

/** A prompt that an earlier process left unfinished. */
export interface PendingPrompt {
  /** Its number in the session. */
  readonly prompt: number;
  /** The user's input. */
  readonly input: string;
  /** Whether it was interrupted or queued. */
  readonly state: "interrupted" | "queued";
  /** The tools that started but did not end, by wire name. It is unknown how far they got. */
  readonly tools: readonly string[];
  /** Whether its session is untrusted, so that it runs only if the user allows it; absent in events. */
  readonly isUntrusted?: true;
}

/** An event of a prompt, with its id. */
export type AgentEvent = LoopEvent & {
  /**
   * `<prompt>.<position>`, such as `3.17`. It grows in the order of the events and is the same in every replay. Updates
   * have none: they are neither stored nor repeated.
   */
  readonly id?: string;
};

/**
 * The events of one prompt, in this order: `agent_start`, then for each turn `turn_start`, its messages and tools,
 * `turn_end`, then `agent_end`, always last. A question about a limit comes between turns. The payloads are those of pi-agent-core. If a limit is reached before the first
 * turn, a prompt has its input and no turn. A prompt that an earlier process left unfinished begins with `prompt_resumed`.
 */
export type LoopEvent =
  /** An unfinished prompt of an earlier process is resumed. Completed steps are reported again but not repeated. */
  | ({
      readonly type: "prompt_resumed";
      /** Resuming it crashed each process, so it is closed without another attempt. */
      readonly isGivenUp?: true;
    } & PendingPrompt)
  /** `promptId` is the id that `submit` returned, or the given `key`. */
  | { readonly type: "agent_start"; readonly promptId: string }
  | { readonly type: "turn_start" }
  | { readonly type: "message_start"; readonly message: Message }
  | {
      readonly type: "message_update";
      readonly message: AssistantMessage;
      readonly assistantMessageEvent: AssistantMessageEvent;
      /** The step of its model call, and its index among that call's updates. */
      readonly step: string;
      readonly index: number;
    }
  | { readonly type: "message_end"; readonly message: Message }
  | {
      readonly type: "tool_execution_start";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: JsonObject;
      /** The display text; absent if the tool defines none or the arguments are invalid. */
      readonly label?: ToolLabel;
    }
  /** A question waits for the user's answer. Questions outside the steps of a prompt, such as from MCP servers, have no event id. */
  | { readonly type: "question_asked"; readonly question: Question }
  | { readonly type: "question_answered"; readonly questionId: string; readonly answer: Answer }
  /** The user was asked about a call, or a rule denied it. Comes between its start and its end. */
  | {
      readonly type: "permission_decided";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly action: "allow" | "deny";
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
  /** An event of an agent that works as the tool of a call. It has no event id: the agent's own session keeps it. */
  | {
      readonly type: "subagent_event";
      readonly toolCallId: string;
      /** The name of the agent. */
      readonly agent: string;
      /** The session of the agent. */
      readonly session: string;
      readonly event: AgentEvent;
    }
  | {
      readonly type: "turn_end";
      readonly message: AssistantMessage;
      readonly toolResults: readonly ToolResultMessage[];
    }
  /**
   * The model is asked again after `delay` milliseconds: the last answer, or a summary, failed and is not part of the
   * transcript.
   */
  | {
      readonly type: "model_retry";
      /** The number of the retry, from 1. */
      readonly attempt: number;
      /** The maximum number of retries. */
      readonly attempts: number;
      readonly delay: number;
      readonly reason: string;
    }
  /**
   * A server rejected a request, which is sent again at once with a change: the last answer, or a summary, is not
   * part of the transcript. Both texts are sentences for the user without a full stop; `reason` quotes the server.
   */
  | { readonly type: "request_adapted"; readonly change: string; readonly reason: string }
  /** A model is unavailable; the prompt continues with another one. Both as `provider/name`. */
  | { readonly type: "model_fallback"; readonly from: string; readonly to: string; readonly reason: string }
  /** Requests now contain a summary in place of older messages; the session keeps them. Counts are tokens of a request. */
  | ({ readonly type: "context_compacted" } & CompactionReport)
  | ({ readonly type: "limit_reached" } & ReachedLimit)
  | {
      readonly type: "agent_end";
      readonly messages: readonly Message[];
      readonly outcome: PromptOutcome;
      readonly cost: Cost;
      /** Why a module denied the prompt, which then has no messages; a line without a full stop. */
      readonly denied?: string;
      /** Input that arrived too late for the model. Absent if there is none. */
      readonly pendingInput?: readonly string[];
    };

/** The parts that the requests of a prompt share. */
export interface RequestHead {
  readonly system: string;
  readonly parameters: ModelParameters;
}

/** Receives the events of one prompt, for logs and traces. Methods must not throw or block. */
export interface PromptObserver {
  /** The event types that it reads. Default: all. */
  readonly types?: ReadonlySet<AgentEvent["type"]>;
  send(event: AgentEvent): void;
  /** Called once, before the first model request. */
  prepare?(head: RequestHead): void;
  /** Receives each answer to a summary request, which no event carries. */
  summarize?(answer: AssistantMessage): void;
  /** The prompt could not run. */
  fail(error: unknown): void;
}

import type { JsonObject } from "@mdx-ai/base";
import type { AssistantMessage, Message, ModelEvent, ModelParameters, ToolResultMessage, Usage } from "@mdx-ai/models";
import type { Answer, Question } from "./question.ts";
import type { ToolResult } from "./tool.ts";
import type { ToolLabel } from "./tool-label.ts";

/** Why a prompt ended. */
export type PromptOutcome = "done" | "error" | "aborted" | "limit";

/** The hooks around prompts and tool calls. */
export type PromptHook = "beforePrompt" | "beforeTool" | "afterTool" | "afterPrompt";

/** The events of the model's stream in `message_update`: all except its ends. */
export type AssistantMessageEvent = Exclude<ModelEvent, { type: "start" | "done" | "error" }>;

/** A limit that ends a prompt. */
export type LimitName =
  | "turns"
  | "tokens"
  | "usd"
  | "seconds"
  | "repeats"
  | "pauses"
  | "session.tokens"
  | "session.usd"
  | "day.tokens"
  | "day.usd";

/** A limit that is reached, with the value that the settings give it. */
export interface ReachedLimit {
  readonly limit: LimitName;
  readonly value: number;
}

/** The usage and cost of model calls: of a prompt, a session or a day. */
export interface Cost {
  readonly usage: Usage;
  /** US dollars, of the answers whose price is known. */
  readonly usd: number;
  /** Answers among `calls` whose price is not known. */
  readonly unpriced: number;
  /** Answers and attempts that cost tokens. */
  readonly calls: number;
  /** Milliseconds that models took, in total. */
  readonly latency: number;
}

/** How a number of tokens is known: from the provider's count of the last request, or by an estimate alone. */
export type TokenMeasure = "provider" | "estimate";

/** Tokens of a session's next request before and after a summary replaced older messages. */
export interface CompactionReport {
  readonly before: number;
  readonly after: number;
  readonly measured: TokenMeasure;
}

/** A prompt that an earlier process did not finish. */
export interface PendingPrompt {
  /** Its number in the session. */
  readonly prompt: number;
  /** The user's input. */
  readonly input: string;
  /** Whether it was cut short, or waited in the queue. */
  readonly state: "interrupted" | "queued";
  /** The tools that were started and did not end, as the model calls them; nobody knows how far they got. */
  readonly tools: readonly string[];
  /** Programs of this user did not begin its session here, so it runs only if the user allows it; absent in events. */
  readonly isForeign?: true;
}

/** An event of a prompt, with its id. */
export type AgentEvent = LoopEvent & {
  /**
   * `<prompt>.<position>`, such as `3.17`. It grows in the order of the events and is the same in every replay. Updates
   * have none: they are neither kept nor repeated.
   */
  readonly id?: string;
};

/**
 * The events of one prompt, in this order: `agent_start`, then for each turn `turn_start`, its messages and tools,
 * `turn_end`, then `agent_end`, always last. The payloads are those of pi-agent-core. If a limit is reached before the first
 * turn, a prompt has its input and no turn. A prompt that an earlier process left unfinished begins with `prompt_resumed`.
 */
export type LoopEvent =
  /** A prompt that an earlier process did not end is finished now: completed steps are reported again, and not repeated. */
  | ({
      readonly type: "prompt_resumed";
      /** It ended each process that resumed it, so it is brought to its end without another try. */
      readonly isGivenUp?: true;
    } & PendingPrompt)
  /** `promptId` is the id that `submit` returned, or the `key` that it was given. */
  | { readonly type: "agent_start"; readonly promptId: string }
  | { readonly type: "turn_start" }
  | { readonly type: "message_start"; readonly message: Message }
  | {
      readonly type: "message_update";
      readonly message: AssistantMessage;
      readonly assistantMessageEvent: AssistantMessageEvent;
      /** The step of the model call that it belongs to, and its index among the updates of that. */
      readonly step: string;
      readonly index: number;
    }
  | { readonly type: "message_end"; readonly message: Message }
  | {
      readonly type: "tool_execution_start";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: JsonObject;
      /** How it is shown; absent if its tool does not say, or does not take such arguments. */
      readonly label?: ToolLabel;
    }
  /** Something waits for the user's answer. Of questions beside the steps of a prompt, such as those of MCP servers, it has no id. */
  | { readonly type: "question_asked"; readonly question: Question }
  | { readonly type: "question_answered"; readonly questionId: string; readonly answer: Answer }
  /** The user was asked about a call, or a rule refuses it; comes between its start and its end. */
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
  | {
      readonly type: "turn_end";
      readonly message: AssistantMessage;
      readonly toolResults: readonly ToolResultMessage[];
    }
  /**
   * The model is asked again after `delay` milliseconds: the answer that ended last broke off and is no part of the
   * transcript, or a summary did.
   */
  | {
      readonly type: "model_retry";
      /** From 1: the repetition that begins. */
      readonly attempt: number;
      /** The most repetitions. */
      readonly attempts: number;
      readonly delay: number;
      readonly reason: string;
    }
  /**
   * A server refused a request, which is sent again at once with a change: the answer that ended last, or a summary, is no
   * part of the transcript. Both are sentences for the user without a full stop; `reason` has the server's own words.
   */
  | { readonly type: "request_adapted"; readonly change: string; readonly reason: string }
  /** A model is unavailable; another is asked from now on, until the prompt ends. Both as `provider/name`. */
  | { readonly type: "model_fallback"; readonly from: string; readonly to: string; readonly reason: string }
  /** Older messages are replaced by a summary in what is sent; the session keeps them. Counts are tokens of a request. */
  | ({ readonly type: "context_compacted" } & CompactionReport)
  | ({ readonly type: "limit_reached" } & ReachedLimit)
  | {
      readonly type: "agent_end";
      readonly messages: readonly Message[];
      readonly outcome: PromptOutcome;
      readonly cost: Cost;
      /** Input during the prompt that the model never received, because the prompt ended before. Absent if there is none. */
      readonly pendingInput?: readonly string[];
    };

/** The parts that the requests of a prompt share. */
export interface RequestHead {
  readonly system: string;
  readonly parameters: ModelParameters;
}

/** Receives the events of one prompt, for logs and traces. Nothing here may throw or wait. */
export interface PromptObserver {
  /** The types of the events that it reads; all if absent. */
  readonly types?: ReadonlySet<AgentEvent["type"]>;
  send(event: AgentEvent): void;
  /** Called once, before the model is asked for the first time. */
  prepare?(head: RequestHead): void;
  /** Receives each answer to a request for a summary; no event carries it. */
  summarize?(answer: AssistantMessage): void;
  /** The prompt could not run. */
  fail(error: unknown): void;
}

import type { AssistantMessage } from "@mdx-ai/models";
import { type AgentEvent, answerText, type PromptOutcome } from "@mdx-ai/runtime";
import { counted } from "../counted.ts";
import { EXIT_CODE } from "../failures/exit-code.ts";
import type { EventView } from "../output/event-view.ts";

/** What the events of a prompt came to. */
export interface PromptEnd {
  readonly outcome: PromptOutcome;
  /** The model's last message. */
  readonly message?: AssistantMessage;
  /** The turns after which it was stopped. */
  readonly turns?: number;
}

/** Shows the events of a prompt to their end. Rejects where the prompt does. */
export async function watchPrompt(events: AsyncIterable<AgentEvent>, view: EventView): Promise<PromptEnd> {
  let end: PromptEnd = { outcome: "error" };
  for await (const event of events) {
    view.show(event);
    if (event.type === "message_end" && event.message.role === "assistant") end = { ...end, message: event.message };
    if (event.type === "limit_reached") end = { ...end, turns: event.value };
    if (event.type === "agent_end") end = { ...end, outcome: event.outcome };
  }
  return end;
}

/** An end as the command line tells it. */
export interface ReportedEnd {
  readonly exitCode: number;
  /** For standard output; empty where the prompt did not come to an answer. */
  readonly answer: string;
  /** For standard error: what went wrong and what to do. */
  readonly problem?: string;
}

/** What the command line says of an end, and its exit code. */
export function endOf({ outcome, message, turns }: PromptEnd): ReportedEnd {
  switch (outcome) {
    case "done":
      return { answer: message === undefined ? "" : answerText([message]), ...incompleteness(message) };
    case "error":
      return { exitCode: EXIT_CODE.failed, answer: "", problem: message?.errorMessage ?? "the model failed" };
    case "aborted":
      return { exitCode: EXIT_CODE.interrupted, answer: "", problem: "interrupted" };
    case "limit":
      return {
        exitCode: EXIT_CODE.limit,
        answer: "",
        problem: `stopped at the limit of ${counted(turns ?? 0, "turn")}; allow more with --max-turns N`,
      };
  }
}

/** A model may end a prompt without having finished. */
function incompleteness(message: AssistantMessage | undefined): Omit<ReportedEnd, "answer"> {
  switch (message?.stopReason) {
    case "length":
      return {
        exitCode: EXIT_CODE.limit,
        problem: "the answer was cut off at the model's output limit; raise max_tokens in agent.mdx",
      };
    case "contextExceeded":
      return {
        exitCode: EXIT_CODE.limit,
        problem: "the conversation no longer fits the model's context; start another one with --session NAME",
      };
    case "refusal":
      return { exitCode: EXIT_CODE.failed, problem: "the model refused to answer" };
    default:
      return { exitCode: EXIT_CODE.done };
  }
}

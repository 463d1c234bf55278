import type { JsonObject } from "@mdx-ai/base";
import { deniedText, limitText, type ReachedLimit } from "@mdx-ai/directory/views/prompt-lines";
import {
  type AgentEvent,
  answerText,
  type Cost,
  emptyAnswerText,
  type PendingPrompt,
  type PromptOutcome,
} from "@mdx-ai/loop";
import type { AssistantMessage } from "@mdx-ai/models";
import { EXIT_CODE } from "../failures/program-error.ts";
import type { EventView } from "../output/event-views.ts";

/** The result of a prompt, collected from its events. */
export interface PromptEnd {
  readonly outcome: PromptOutcome;
  /** The prompt, if an earlier process left it unfinished. */
  readonly pendingPrompt?: PendingPrompt;
  /** The model's last message. */
  readonly message?: AssistantMessage;
  /** The limit that ended it. */
  readonly limit?: ReachedLimit;
  /** Why a module denied it. */
  readonly denied?: string;
  /** Finished turns. */
  readonly turns: number;
  /** Absent if it ended early. */
  readonly cost?: Cost;
  /** Milliseconds from its start to its end. */
  readonly time: number;
}

/** Shows all events and yields the result of each prompt. Rejects if the events do. */
export async function* promptEnds(events: AsyncIterable<AgentEvent>, view: EventView): AsyncGenerator<PromptEnd> {
  const start: PromptEnd = { outcome: "error", turns: 0, time: 0 };
  let end = start;
  let since = performance.now();
  for await (const event of events) {
    view.show(event);
    switch (event.type) {
      case "prompt_resumed":
        end = { ...end, pendingPrompt: event };
        break;
      case "agent_start":
        since = performance.now();
        break;
      case "message_end":
        if (event.message.role === "assistant") end = { ...end, message: event.message };
        break;
      case "turn_end":
        end = { ...end, turns: end.turns + 1 };
        break;
      case "limit_reached":
        end = { ...end, limit: event };
        break;
      case "agent_end":
        yield {
          ...{ ...end, outcome: event.outcome, cost: event.cost, time: performance.now() - since },
          ...(event.denied !== undefined && { denied: event.denied }),
        };
        end = start;
        break;
      default:
    }
  }
}

/** How a result is reported on the command line. */
export interface ReportedEnd {
  readonly exitCode: number;
  /** For standard output; empty without an answer. */
  readonly answer: string;
  /** For standard error: the error and the next step. */
  readonly problem?: string;
}

/** The report and exit code for a result. */
export function endOf({ outcome, message, limit, denied }: PromptEnd): ReportedEnd {
  switch (outcome) {
    case "done":
      return { answer: message === undefined ? "" : answerText([message]), ...incompleteness(message) };
    case "error":
      if (denied !== undefined) return { exitCode: EXIT_CODE.failed, answer: "", problem: deniedText(denied) };
      return { exitCode: EXIT_CODE.failed, ...failedAnswer(message) };
    case "aborted":
      return { exitCode: EXIT_CODE.interrupted, answer: "", problem: "interrupted" };
    case "limit":
      return {
        exitCode: EXIT_CODE.limit,
        answer: "",
        problem: limit === undefined ? "stopped at a limit" : limitText(limit),
      };
  }
}

/** A prompt as one object, for `--output json`. `cost` is in US dollars, null if a price is unknown; `time` is in milliseconds. */
export function promptReport(end: PromptEnd, session: string): JsonObject {
  const { answer, problem } = endOf(end);
  const { cost, outcome, turns, time } = end;
  return {
    ...{ answer, session, outcome },
    ...(problem !== undefined && { problem }),
    ...{ turns, time: Math.round(time) },
    ...{ usage: cost === undefined ? null : { ...cost.usage }, cost: cost?.unpriced === 0 ? cost.usd : null },
  };
}

/** The text of a failed answer, and why it failed. */
function failedAnswer(message: AssistantMessage | undefined): Omit<ReportedEnd, "exitCode"> {
  const empty = message && emptyAnswerText(message);
  if (message === undefined || empty === undefined)
    return { answer: "", problem: message?.errorMessage ?? "the model failed" };
  return { answer: answerText([message]), problem: empty };
}

/** Why an answer is incomplete although the prompt ended. */
function incompleteness(message: AssistantMessage | undefined): Omit<ReportedEnd, "answer"> {
  switch (message?.stopReason) {
    case "length":
      return {
        exitCode: EXIT_CODE.limit,
        problem: `${hasText(message) ? "the answer was cut off at the model's output limit" : "the model's output limit was used up before it gave an answer"}; raise max_tokens in agent.mdx`,
      };
    case "contextExceeded":
      return {
        exitCode: EXIT_CODE.limit,
        problem: `the request does not fit the model's window: ${message.errorMessage ?? "start another session with --session NAME"}`,
      };
    case "refusal":
      return { exitCode: EXIT_CODE.failed, problem: "the model refused to answer" };
    default:
      return { exitCode: EXIT_CODE.done };
  }
}

const hasText = ({ content }: AssistantMessage): boolean =>
  content.some((block) => block.type === "text" && block.text.trim() !== "");

import {
  type AssistantMessage,
  isAssistantMessage,
  type LanguageModel,
  type Message,
  type ModelEvent,
  type ModelRequest,
} from "@mdx-ai/models";
import { errorMessage } from "../error-message.ts";
import type { AgentEvent } from "../types/event.ts";
import { blockEvents } from "./block-events.ts";
import type { PromptRun } from "./prompt-run.ts";

/** One attempt to get an answer. */
export interface Attempt {
  /** The name of its step. */
  readonly step: string;
  readonly model: LanguageModel;
  /** What is sent. */
  readonly messages: readonly Message[];
}

/**
 * One model call as a step. Text arrives live and is not journaled; the finished message is. Where the journal holds
 * it already, the same events are told with one update a block.
 */
export async function askModel(run: PromptRun, attempt: Attempt): Promise<AssistantMessage> {
  let live = false;
  const ask = async (onDisk: () => Promise<void>): Promise<AssistantMessage> => {
    live = true;
    const answer = await stream(run, attempt, onDisk);
    const cost = await run.spend(answer);
    return cost === undefined ? answer : { ...answer, cost };
  };
  const message = await run.step(attempt.step, ask, { accepts: isAssistantMessage, eager: true });
  if (!live) {
    run.emit({ type: "message_start", message });
    for (const assistantMessageEvent of blockEvents(message)) {
      run.emit({ type: "message_update", message, assistantMessageEvent });
    }
  }
  run.emit({ type: "message_end", message });
  return message;
}

const requestOf = (run: PromptRun, messages: readonly Message[]): ModelRequest => ({
  system: run.system,
  tools: run.tools.schemas,
  messages,
  ...run.parameters,
});

/** Makes the request ready while what it is about is brought to the disk; only then does it leave. */
async function stream(
  run: PromptRun,
  { model, messages }: Attempt,
  onDisk: () => Promise<void>,
): Promise<AssistantMessage> {
  const breakOff = (end: Omit<BreakOff, "model">): AssistantMessage => brokenOff(run, { model, ...end });
  if (run.signal.aborted) return breakOff({ stopReason: "aborted", errorMessage: "aborted" });
  const written = onDisk();
  const answer = model.stream(requestOf(run, messages), run.signal, written);
  await written;
  let partial: AssistantMessage | undefined;
  try {
    for await (const event of answer) {
      if (event.type === "done" || event.type === "error") {
        if (!partial) run.emit({ type: "message_start", message: event.message });
        return event.message;
      }
      partial = event.partial;
      run.emit(liveEvent(event));
    }
    return breakOff({ stopReason: "error", errorMessage: "the model's answer has no end", partial });
  } catch (error) {
    // A model must not throw; one of another's making may all the same, and that costs one answer, not the prompt.
    return breakOff({
      stopReason: run.signal.aborted ? "aborted" : "error",
      errorMessage: errorMessage(error),
      partial,
    });
  }
}

function liveEvent(event: Exclude<ModelEvent, { type: "done" | "error" }>): AgentEvent {
  if (event.type === "start") return { type: "message_start", message: event.partial };
  return { type: "message_update", message: event.partial, assistantMessageEvent: event };
}

interface BreakOff {
  readonly model: LanguageModel;
  readonly stopReason: "aborted" | "error";
  readonly errorMessage: string;
  /** What had arrived; absent where `message_start` was not told yet. */
  readonly partial?: AssistantMessage | undefined;
}

/** What stands for an answer that the model did not end, or was not asked for since the prompt was aborted before. */
function brokenOff({ now, emit }: PromptRun, { model, partial, ...end }: BreakOff): AssistantMessage {
  if (partial) return { ...partial, ...end };
  const message: AssistantMessage = {
    role: "assistant",
    content: [],
    provider: model.provider,
    model: model.name,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0 },
    ...end,
    timestamp: now(),
  };
  emit({ type: "message_start", message });
  return message;
}

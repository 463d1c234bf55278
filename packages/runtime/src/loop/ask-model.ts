import {
  type AssistantMessage,
  isAssistantMessage,
  type Message,
  type ModelEvent,
  type ModelRequest,
} from "@mdx-ai/models";
import { modelStep } from "../step-names.ts";
import type { AgentEvent } from "../types/event.ts";
import { blockEvents } from "./block-events.ts";
import type { PromptRun } from "./prompt-run.ts";

/**
 * One model call as a step. Text arrives live and is not journaled; the finished message is. Where the journal holds
 * it already, the same events are told with one update a block.
 */
export async function askModel(run: PromptRun, turn: number, messages: readonly Message[]): Promise<AssistantMessage> {
  let live = false;
  const ask = (onDisk: () => Promise<void>): Promise<AssistantMessage> => {
    live = true;
    return stream(run, request(run, messages), onDisk);
  };
  const message = await run.step(modelStep(turn), ask, { accepts: isAssistantMessage, eager: true });
  if (!live) {
    run.emit({ type: "message_start", message });
    for (const assistantMessageEvent of blockEvents(message)) {
      run.emit({ type: "message_update", message, assistantMessageEvent });
    }
  }
  run.emit({ type: "message_end", message });
  return message;
}

const request = (run: PromptRun, messages: readonly Message[]): ModelRequest => ({
  system: run.system,
  tools: run.tools.schemas,
  messages,
  ...(run.temperature !== undefined && { temperature: run.temperature }),
  ...(run.maxTokens !== undefined && { maxTokens: run.maxTokens }),
});

/** Makes the request ready while what it is about is brought to the disk; only then does it leave. */
async function stream(run: PromptRun, request: ModelRequest, onDisk: () => Promise<void>): Promise<AssistantMessage> {
  if (run.signal.aborted) return brokenOff(run, { stopReason: "aborted", errorMessage: "aborted" });
  const written = onDisk();
  const answer = run.model.stream(request, run.signal, written);
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
    return brokenOff(run, { stopReason: "error", errorMessage: "the model's answer has no end", partial });
  } catch (error) {
    // A model must not throw; one of another's making may all the same, and that costs one answer, not the prompt.
    const errorMessage = error instanceof Error ? error.message : String(error);
    return brokenOff(run, { stopReason: run.signal.aborted ? "aborted" : "error", errorMessage, partial });
  }
}

function liveEvent(event: Exclude<ModelEvent, { type: "done" | "error" }>): AgentEvent {
  if (event.type === "start") return { type: "message_start", message: event.partial };
  return { type: "message_update", message: event.partial, assistantMessageEvent: event };
}

interface BreakOff {
  readonly stopReason: "aborted" | "error";
  readonly errorMessage: string;
  /** What had arrived; absent where `message_start` was not told yet. */
  readonly partial?: AssistantMessage | undefined;
}

/** What stands for an answer that the model did not end, or was not asked for since the prompt was aborted before. */
function brokenOff({ model, now, emit }: PromptRun, { partial, ...end }: BreakOff): AssistantMessage {
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

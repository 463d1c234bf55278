import { type AssistantMessage, isAssistantMessage, type Message, type ModelRequest } from "@mdx-ai/models";
import { blockEvents } from "./block-events.ts";
import type { PromptRun } from "./prompt-run.ts";

/**
 * One model call as a step. Text arrives live and is not journaled; the finished message is. Where the journal holds
 * it already, the same events are told with one update a block.
 */
export async function askModel(run: PromptRun, turn: number, messages: readonly Message[]): Promise<AssistantMessage> {
  let live = false;
  const ask = (): Promise<AssistantMessage> => {
    live = true;
    return stream(run, request(run, messages));
  };
  const message = await run.step(`model:${turn}`, ask, { accepts: isAssistantMessage });
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

async function stream(run: PromptRun, request: ModelRequest): Promise<AssistantMessage> {
  if (run.signal.aborted) return notAsked(run);
  let started = false;
  for await (const event of run.model.stream(request, run.signal)) {
    switch (event.type) {
      case "start":
        started = true;
        run.emit({ type: "message_start", message: event.partial });
        break;
      case "done":
      case "error":
        if (!started) run.emit({ type: "message_start", message: event.message });
        return event.message;
      default:
        run.emit({ type: "message_update", message: event.partial, assistantMessageEvent: event });
    }
  }
  throw new Error(`the model ${run.model.provider}/${run.model.name} ended its stream without a last event`);
}

/** What stands for an answer where the prompt was aborted before the model was asked. */
function notAsked({ model, now, emit }: PromptRun): AssistantMessage {
  const message: AssistantMessage = {
    role: "assistant",
    content: [],
    provider: model.provider,
    model: model.name,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0 },
    stopReason: "aborted",
    errorMessage: "aborted",
    timestamp: now(),
  };
  emit({ type: "message_start", message });
  return message;
}

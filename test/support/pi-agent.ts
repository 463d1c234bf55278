import { Agent, type AgentEvent, type AgentTool } from "@earendil-works/pi-agent-core";
import {
  type AssistantMessage,
  type AssistantMessageEventStream,
  createAssistantMessageEventStream,
  type Model,
  Type,
} from "@earendil-works/pi-ai";
import type { Reply } from "./replies.ts";

/** The same tools for both loops: what a tool does, by its name. */
export type ToolBehaviours = Readonly<
  Record<string, (signal: AbortSignal | undefined, update: (text: string) => void) => Promise<string>>
>;

export interface PiRun {
  readonly replies: readonly Reply[];
  readonly tools: ToolBehaviours;
  /** Called at each event; may abort. */
  onEvent(event: AgentEvent, abort: () => void): void;
}

/** Runs a prompt through pi-agent-core with scripted answers, all tools taking `{text: string}`. */
export async function runPi(run: PiRun): Promise<void> {
  const waiting = [...run.replies];
  const agent = new Agent({
    initialState: { systemPrompt: "test", tools: Object.entries(run.tools).map(piTool), model: MODEL },
    streamFn: (_model, _context, options) => stream(waiting.shift(), options?.signal),
  });
  agent.subscribe((event) => run.onEvent(event, () => agent.abort()));
  await agent.prompt("go");
}

const MODEL: Model<"anthropic-messages"> = {
  id: "scripted",
  name: "scripted",
  api: "anthropic-messages",
  provider: "anthropic",
  baseUrl: "http://127.0.0.1:1",
  reasoning: true,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 100_000,
  maxTokens: 1000,
};

const piTool = ([name, behave]: [string, ToolBehaviours[string]]): AgentTool => ({
  name,
  label: name,
  description: name,
  parameters: Type.Object({ text: Type.String() }),
  execute: async (_id, _args, signal, onUpdate) => {
    const update = (text: string): void => onUpdate?.({ content: [{ type: "text", text }], details: undefined });
    return { content: [{ type: "text", text: await behave(signal, update) }], details: undefined };
  },
});

function stream(reply: Reply | undefined, signal: AbortSignal | undefined): AssistantMessageEventStream {
  const events = createAssistantMessageEventStream();
  const message = emptyMessage();
  if (!reply || reply.error || signal?.aborted) {
    const reason = signal?.aborted ? "aborted" : "error";
    events.push({ type: "error", reason, error: { ...message, stopReason: reason, errorMessage: "failed" } });
    return events;
  }
  events.push({ type: "start", partial: message });
  if (reply.thinking) {
    const contentIndex = message.content.push({ type: "thinking", thinking: reply.thinking }) - 1;
    events.push({ type: "thinking_start", contentIndex, partial: message });
    events.push({ type: "thinking_delta", contentIndex, delta: reply.thinking, partial: message });
    events.push({ type: "thinking_end", contentIndex, content: reply.thinking, partial: message });
  }
  if (reply.text) {
    const contentIndex = message.content.push({ type: "text", text: reply.text }) - 1;
    events.push({ type: "text_start", contentIndex, partial: message });
    events.push({ type: "text_delta", contentIndex, delta: reply.text, partial: message });
    events.push({ type: "text_end", contentIndex, content: reply.text, partial: message });
  }
  for (const call of reply.calls ?? []) {
    const toolCall = { type: "toolCall", id: call.id, name: call.name, arguments: { ...call.arguments } } as const;
    const contentIndex = message.content.push(toolCall) - 1;
    events.push({ type: "toolcall_start", contentIndex, partial: message });
    events.push({ type: "toolcall_delta", contentIndex, delta: JSON.stringify(call.arguments), partial: message });
    events.push({ type: "toolcall_end", contentIndex, toolCall, partial: message });
  }
  const reason = reply.calls ? "toolUse" : "stop";
  message.stopReason = reason;
  events.push({ type: "done", reason, message });
  return events;
}

const emptyMessage = (): AssistantMessage => ({
  role: "assistant",
  content: [],
  api: "anthropic-messages",
  provider: "anthropic",
  model: "scripted",
  usage: {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "stop",
  timestamp: 0,
});

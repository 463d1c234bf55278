import type {
  AssistantContent,
  AssistantMessage,
  LanguageModel,
  ModelEvent,
  ModelRequest,
  ToolResultMessage,
  ToolSchema,
  UserMessage,
} from "@mdx-ai/models";

/** A user's message of one text. */
export function userMessage(text: string): UserMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp: 0 };
}

/** An answer of Anthropic; what is not given is as of one that ended well. */
export function assistantMessage(
  content: readonly AssistantContent[],
  rest: Partial<AssistantMessage> = {},
): AssistantMessage {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 0 };
  const provider = "anthropic";
  return {
    role: "assistant",
    content,
    provider,
    model: "claude-test",
    usage,
    stopReason: "stop",
    timestamp: 0,
    ...rest,
  };
}

/** A tool's result of one text, or of none. */
export function toolResult(toolCallId: string, text: string, rest: Partial<ToolResultMessage> = {}): ToolResultMessage {
  const content = [{ type: "text", text }] as const;
  return { role: "toolResult", toolCallId, toolName: "tool", content, isError: false, timestamp: 0, ...rest };
}

/** A tool with parameters by name and JSON Schema type; a "?" after the type makes one optional. */
export function toolSchema(
  name: string,
  description: string,
  parameters: Readonly<Record<string, string>> = {},
): ToolSchema {
  const entries = Object.entries(parameters);
  const properties = Object.fromEntries(entries.map(([key, type]) => [key, { type: type.replace("?", "") }]));
  const required = entries.filter(([, type]) => !type.endsWith("?")).map(([key]) => key);
  return { name, description, parameters: { type: "object", properties, required } };
}

/** A request; a string stands for a user's message. */
export function modelRequest(
  messages: string | ModelRequest["messages"],
  rest: Partial<ModelRequest> = {},
): ModelRequest {
  return {
    system: "",
    tools: [],
    messages: typeof messages === "string" ? [userMessage(messages)] : messages,
    ...rest,
  };
}

/** All events of an answer. */
export async function eventsOf(
  model: LanguageModel,
  request: ModelRequest = modelRequest("Hello"),
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelEvent[]> {
  return Array.fromAsync(model.stream(request, signal));
}

/** How an answer ended. Throws where the last event is none that ends an answer, or where one stands before it. */
export function endOf(events: readonly ModelEvent[]): Extract<ModelEvent, { type: "done" | "error" }> {
  const ends = events.filter((event) => event.type === "done" || event.type === "error");
  const [end] = ends;
  if (end === undefined || ends.length > 1 || events.at(-1) !== end)
    throw new Error("an answer has one end, at its end");
  return end;
}

/** Events told in a line each: type and block, with the text of a delta. */
export function told(events: readonly ModelEvent[]): string[] {
  return events.map((event) => {
    if (!("contentIndex" in event)) return event.type;
    return "delta" in event
      ? `${event.type} ${event.contentIndex} ${event.delta}`
      : `${event.type} ${event.contentIndex}`;
  });
}

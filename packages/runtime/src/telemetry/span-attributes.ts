import type { AgentEvent } from "@mdx-ai/loop";
import {
  type AssistantContent,
  type AssistantMessage,
  type ImageContent,
  inputTokens,
  type Message,
  type ModelParameters,
  type StopReason,
  type TextContent,
  type Usage,
} from "@mdx-ai/models";
import type { Attributes } from "@opentelemetry/api";
import { ATTRIBUTE, OPERATION, providerName } from "./conventions.ts";
import type { ObservedPrompt } from "./telemetry.ts";

/** Attributes of a prompt at its beginning. */
export const agentAttributes = ({ session, model }: ObservedPrompt, agentName: string): Attributes => ({
  [ATTRIBUTE.operation]: OPERATION.agent,
  ...(model && { [ATTRIBUTE.provider]: providerName(model.provider), [ATTRIBUTE.requestModel]: model.name }),
  [ATTRIBUTE.agentName]: agentName,
  [ATTRIBUTE.conversation]: session,
});

type AgentEnd = Extract<AgentEvent, { type: "agent_end" }>;

/** Attributes of a prompt at its end; `limit` is the limit that ended it, if any. */
export const endAttributes = (end: AgentEnd, limit: string | undefined): Attributes => ({
  ...usageAttributes(end.cost.usage),
  ...errorAttribute(endErrorType(end, limit)),
});

interface ChatCall {
  readonly session: string;
  readonly parameters: ModelParameters;
  /** Milliseconds from the request to the first part of the answer; undefined if nothing arrived. */
  readonly firstChunk: number | undefined;
}

/** Attributes of a finished model call. */
export function chatAttributes(message: AssistantMessage, { parameters, ...call }: ChatCall): Attributes {
  const { temperature, maxTokens, stream } = parameters;
  const error = answerErrorType(message);
  return {
    [ATTRIBUTE.operation]: OPERATION.chat,
    [ATTRIBUTE.provider]: providerName(message.provider),
    [ATTRIBUTE.requestModel]: message.model,
    [ATTRIBUTE.conversation]: call.session,
    ...(temperature !== undefined && { [ATTRIBUTE.temperature]: temperature }),
    ...(maxTokens !== undefined && { [ATTRIBUTE.maxTokens]: maxTokens }),
    ...(stream !== false && { [ATTRIBUTE.stream]: true }),
    ...(error === undefined && {
      [ATTRIBUTE.responseModel]: message.responseModel ?? message.model,
      [ATTRIBUTE.finishReasons]: [finishReason(message.stopReason)],
    }),
    ...(stream !== false && call.firstChunk !== undefined && { [ATTRIBUTE.timeToFirstChunk]: call.firstChunk / 1000 }),
    ...usageAttributes(message.usage),
    ...errorAttribute(error),
  };
}

/** Whether the request was never sent because the prompt was aborted before. */
export const isUnasked = ({ stopReason, latency, content }: AssistantMessage): boolean =>
  stopReason === "aborted" && latency === undefined && content.length === 0;

/**
 * When a model call ran, between `asked` at the earliest and `now`. Prefers the latency that the model reports, since an answer is
 * only seen here when it is on disk.
 */
export function chatPeriod(
  { timestamp, latency }: AssistantMessage,
  { asked, now }: { readonly asked: number; readonly now: number },
): { readonly start: number; readonly end: number } {
  if (latency === undefined || !Number.isFinite(timestamp + latency)) return { start: Math.min(asked, now), end: now };
  const end = Math.min(timestamp + latency, now);
  return { start: end - latency, end };
}

export const toolAttributes = (call: { readonly id: string; readonly name: string }, isError: boolean): Attributes => ({
  [ATTRIBUTE.operation]: OPERATION.tool,
  [ATTRIBUTE.toolName]: call.name,
  [ATTRIBUTE.toolCallId]: call.id,
  [ATTRIBUTE.toolType]: "function",
  ...errorAttribute(isError ? "tool_error" : undefined),
});

const FINISH_REASONS: Readonly<Record<StopReason, string>> = {
  stop: "stop",
  toolUse: "tool_call",
  length: "length",
  pause: "pause",
  refusal: "content_filter",
  contextExceeded: "length",
  aborted: "error",
  error: "error",
};

/** The conventions' name for a stop reason; an unknown reason keeps its name. */
const finishReason = (reason: StopReason): string => FINISH_REASONS[reason];

/** Whether the provider reported the counts: estimates are not sent. */
export const isCounted = (usage: Usage): boolean => !usage.estimated && usage.total > 0;

function usageAttributes(usage: Usage): Attributes {
  if (!isCounted(usage)) return {};
  return {
    [ATTRIBUTE.inputTokens]: inputTokens(usage),
    [ATTRIBUTE.outputTokens]: usage.output,
    ...(usage.cacheRead > 0 && { [ATTRIBUTE.cacheReadTokens]: usage.cacheRead }),
    ...(usage.cacheWrite > 0 && { [ATTRIBUTE.cacheCreationTokens]: usage.cacheWrite }),
    ...(usage.thinking > 0 && { [ATTRIBUTE.reasoningTokens]: usage.thinking }),
  };
}

/** The conventions' name for any other error. */
const UNKNOWN_ERROR = "_OTHER";

/** Only names are sent: a provider or a library may put any text there. */
const NAME = /^[\w.:-]{1,80}$/;

const errorAttribute = (type: string | undefined): Attributes =>
  type === undefined ? {} : { [ATTRIBUTE.errorType]: type };

/** The `error.type` of a prompt that could not run: the class of the thrown error. */
export const thrownErrorAttribute = (thrown: unknown): Attributes =>
  errorAttribute(thrown instanceof Error && NAME.test(thrown.name) ? thrown.name : UNKNOWN_ERROR);

/**
 * The `error.type` of an incomplete or missing answer: `aborted`, the kind of the failure, its HTTP status, or
 * `_OTHER`. Undefined if the answer is complete.
 */
export function answerErrorType({ stopReason, failure }: AssistantMessage): string | undefined {
  if (stopReason === "aborted") return "aborted";
  if (stopReason !== "error") return undefined;
  const { kind, status } = failure ?? {};
  if (kind !== undefined && NAME.test(kind)) return kind;
  return status === undefined ? UNKNOWN_ERROR : String(status);
}

function endErrorType({ outcome, messages }: AgentEnd, limit: string | undefined): string | undefined {
  switch (outcome) {
    case "done":
      return undefined;
    case "aborted":
      return "aborted";
    case "limit":
      return `limit:${limit ?? "unknown"}`;
    case "error": {
      const last = messages.findLast((message) => message.role === "assistant");
      return (last && answerErrorType(last)) ?? UNKNOWN_ERROR;
    }
  }
}

/** A part of a message in the form of the conventions. */
type Part = Readonly<Record<string, unknown>>;

/** Messages to a model, as the JSON of `gen_ai.input.messages`. */
export const inputMessages = (messages: readonly Message[]): string => JSON.stringify(messages.map(inputMessage));

/** A model's answer, as the JSON of `gen_ai.output.messages`. */
export const outputMessages = (message: AssistantMessage): string =>
  JSON.stringify([{ ...inputMessage(message), finish_reason: finishReason(message.stopReason) }]);

/** A system prompt, as the JSON of `gen_ai.system_instructions`. */
export const systemInstructions = (system: string): string => JSON.stringify([textPart(system)]);

/** A tool result as text, with a placeholder for each image. */
export const resultText = (content: readonly (TextContent | ImageContent)[]): string =>
  content.map((block) => (block.type === "text" ? block.text : `[${block.mimeType}]`)).join("");

function inputMessage(message: Message): { readonly role: string; readonly parts: readonly Part[] } {
  switch (message.role) {
    case "user":
      return { role: "user", parts: message.content.map(userPart) };
    case "assistant":
      return { role: "assistant", parts: message.content.flatMap(answerParts) };
    case "toolResult": {
      const { toolCallId: id, content } = message;
      return { role: "tool", parts: [{ type: "tool_call_response", id, response: resultText(content) }] };
    }
  }
}

const textPart = (content: string): Part => ({ type: "text", content });

/** Images become placeholders: most collectors reject values of their size. */
const userPart = (block: TextContent | ImageContent): Part =>
  block.type === "text" ? textPart(block.text) : { type: "image", mime_type: block.mimeType };

function answerParts(block: AssistantContent): readonly Part[] {
  switch (block.type) {
    case "text":
      return [textPart(block.text)];
    case "thinking":
      return block.thinking === "" ? [] : [{ type: "reasoning", content: block.thinking }];
    case "toolCall": {
      const { id, name, malformed, arguments: args } = block;
      return [{ type: "tool_call", id, name, arguments: malformed ?? args }];
    }
  }
}

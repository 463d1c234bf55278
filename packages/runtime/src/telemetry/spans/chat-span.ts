import type { AssistantMessage, Message, ModelParameters } from "@mdx-ai/models";
import type { Attributes } from "@opentelemetry/api";
import { ATTRIBUTE, OPERATION, providerName } from "../conventions.ts";
import { inputMessages, outputMessages, systemInstructions } from "./contents.ts";
import { answerErrorType } from "./error-type.ts";
import { finishReason } from "./finish-reason.ts";
import { usageAttributes } from "./usage-attributes.ts";

/** A period in milliseconds since 1970. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

/** What an observer saw of a call by its own clock. */
export interface SeenCall {
  /** When the model was asked at the earliest. */
  readonly asked: number;
  /** When its answer was told. */
  readonly told: number;
}

/**
 * When a model call was. Where the model has measured it, that counts: an answer is told a little later, when it is on
 * disk.
 */
export function chatPeriod({ timestamp, latency }: AssistantMessage, { asked, told }: SeenCall): Period {
  if (latency === undefined || !Number.isFinite(timestamp + latency))
    return { start: Math.min(asked, told), end: told };
  const end = Math.min(timestamp + latency, told);
  return { start: end - latency, end };
}

/** Whether an answer stands for a model that was not asked at all, since the prompt was aborted before. */
export const isUnasked = ({ stopReason, latency, content }: AssistantMessage): boolean =>
  stopReason === "aborted" && latency === undefined && content.length === 0;

/** What a model was given, for who asks for contents. */
interface ChatContents {
  readonly system: string | undefined;
  /** Of the prompt so far. */
  readonly messages: readonly Message[];
}

export interface ChatRequest {
  readonly session: string;
  readonly parameters: ModelParameters;
  /** Milliseconds from the request to the first piece of the answer; undefined where none came. */
  readonly firstChunk: number | undefined;
  readonly contents: ChatContents | undefined;
}

/** The attributes of a model call. */
export function chatAttributes(message: AssistantMessage, request: ChatRequest): Attributes {
  const error = answerErrorType(message);
  return {
    [ATTRIBUTE.operation]: OPERATION.chat,
    [ATTRIBUTE.provider]: providerName(message.provider),
    [ATTRIBUTE.requestModel]: message.model,
    [ATTRIBUTE.conversation]: request.session,
    ...parameterAttributes(request.parameters),
    ...(error === undefined
      ? { [ATTRIBUTE.finishReasons]: [finishReason(message.stopReason)] }
      : { [ATTRIBUTE.errorType]: error }),
    ...(request.firstChunk !== undefined &&
      request.parameters.stream !== false && { [ATTRIBUTE.timeToFirstChunk]: request.firstChunk / 1000 }),
    ...usageAttributes(message.usage),
    ...(request.contents !== undefined && contentAttributes(message, request.contents)),
  };
}

const parameterAttributes = ({ temperature, maxTokens, stream }: ModelParameters): Attributes => ({
  ...(temperature !== undefined && { [ATTRIBUTE.temperature]: temperature }),
  ...(maxTokens !== undefined && { [ATTRIBUTE.maxTokens]: maxTokens }),
  ...(stream !== false && { [ATTRIBUTE.stream]: true }),
});

const contentAttributes = (message: AssistantMessage, { system, messages }: ChatContents): Attributes => ({
  ...(system !== undefined && { [ATTRIBUTE.systemInstructions]: systemInstructions(system) }),
  [ATTRIBUTE.inputMessages]: inputMessages(messages),
  [ATTRIBUTE.outputMessages]: outputMessages(message),
});

import type { JsonObject } from "../types/json.ts";

/** What a provider gets back of what it gave, by the provider's name. */
interface FromProvider {
  readonly providerOptions?: JsonObject;
}

interface TextPart extends FromProvider {
  readonly type: "text";
  readonly text: string;
}

/** An image. Its data is base64, told in two ways by the versions of the interface. */
export interface FilePart {
  readonly type: "file";
  readonly mediaType: string;
  readonly data: string | { readonly type: "data"; readonly data: string };
}

interface ReasoningPart extends FromProvider {
  readonly type: "reasoning";
  readonly text: string;
}

interface ToolCallPart extends FromProvider {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: JsonObject;
}

export interface ToolResultPart {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: { readonly type: "text" | "error-text"; readonly value: string };
}

export type UserPart = TextPart | FilePart;
export type AssistantPart = TextPart | ReasoningPart | ToolCallPart;

/** A message as AI SDK providers take it, in the parts that their versions share. */
export type PromptMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: readonly UserPart[] }
  | { readonly role: "assistant"; readonly content: readonly AssistantPart[] }
  | { readonly role: "tool"; readonly content: readonly ToolResultPart[] };

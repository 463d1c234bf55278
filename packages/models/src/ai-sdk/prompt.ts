import type {
  LanguageModelV2FilePart,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import { type JsonObject, parseJsonObject, wellFormedJson } from "@mdx-ai/base";
import { type SentCall, SentHistory, type SentTurn } from "../history/sent-history.ts";
import {
  addMessage,
  cleanId,
  emptyInput,
  freeId,
  numberedId,
  portableContent,
  type Sent,
  saysSomething,
  sentName,
  unknownOutcome,
  withoutLastThinking,
} from "../history/sent-parts.ts";
import type { ModelRequest } from "../types/language-model.ts";
import type { AssistantContent, ImageContent, TextContent, ToolResultMessage, UserMessage } from "../types/message.ts";
import type { AiSdkVersion } from "./ai-sdk-model.ts";

/** A part of a message, with provider data. */
type Part<Type> = Sent<Omit<Type, "providerOptions">> & { readonly providerOptions?: JsonObject };

/** Parts shared by all interface versions, except for a file's data. */
type TextPart = Part<LanguageModelV4TextPart>;
type FilePart = Sent<Pick<LanguageModelV4FilePart | LanguageModelV2FilePart, "type" | "mediaType">> & {
  readonly data: string | { readonly type: "data"; readonly data: string };
};
type AssistantPart = TextPart | Part<LanguageModelV4ReasoningPart> | Part<LanguageModelV4ToolCallPart>;
type ResultPart = Part<LanguageModelV4ToolResultPart>;

/** A message with a list of parts. */
interface PartsMessage {
  readonly role: Exclude<LanguageModelV4Message["role"], "system">;
  readonly content: readonly (TextPart | FilePart | AssistantPart | ResultPart)[];
}

export type PromptMessage = PartsMessage | Sent<Extract<LanguageModelV4Message, { role: "system" }>>;

/** The model that receives a prompt. */
export interface PromptReader {
  readonly version: AiSdkVersion;
  /** As in the messages that it created. */
  readonly provider: string;
}

/**
 * Converts a history for AI SDK providers: every call is followed by its result, and no text is empty. Images of results follow in a user
 * message, since not all providers accept them in results.
 */
export function promptOf({ system, messages }: ModelRequest, reader: PromptReader): readonly PromptMessage[] {
  const { provider, version } = reader;
  const history = new SentHistory<PartsMessage>({
    content: (answer) => withoutLastThinking(portableContent(answer, provider).filter(isSent)),
    id: ({ id }, answer, taken) => freeId(numberedId(answer.provider === provider ? id : cleanId(id)), taken),
    add: (prompt, turn) => addTurn(prompt, turn, version),
  });
  const turns = history.of(messages);
  return system.trim() === "" ? turns : [{ role: "system", content: system.toWellFormed() }, ...turns];
}

/** A block without text may have a signature. */
function isSent(block: AssistantContent): boolean {
  if (block.type === "toolCall" || block.signature !== undefined) return true;
  return (block.type === "text" ? block.text : block.thinking).trim() !== "";
}

function addTurn(prompt: PartsMessage[], { content, ids, calls, inputs }: SentTurn, version: AiSdkVersion): void {
  const images = calls.flatMap((sent) => resultImages(sent, version));
  const said = inputs.flatMap((input) => inputParts(input, version));
  addMessage(prompt, { role: "assistant", content: content.map((block) => assistantPart(block, ids)) });
  addMessage(prompt, { role: "tool", content: calls.map(resultPart) });
  addMessage(prompt, { role: "user", content: [...images, ...said] });
}

function assistantPart(block: AssistantContent, ids: SentTurn["ids"]): AssistantPart {
  const options = providerOptions(block.signature);
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text.toWellFormed(), ...options };
    case "thinking":
      return { type: "reasoning", text: block.thinking, ...options };
    case "toolCall": {
      const toolCallId = ids.get(block) ?? block.id;
      const input = wellFormed(block.arguments);
      return { type: "tool-call", toolCallId, toolName: sentName(block.name), input, ...options };
    }
  }
}

function providerOptions(signature: string | undefined): Pick<TextPart, "providerOptions"> {
  const options = signature === undefined ? undefined : parseJsonObject(signature);
  return options === undefined ? {} : { providerOptions: options };
}

/** Removes unpaired surrogates, which most servers refuse. Returns the same object if there are none. */
function wellFormed(input: JsonObject): JsonObject {
  return JSON.stringify(input).includes("\\ud") ? (parseJsonObject(wellFormedJson(input)) ?? {}) : input;
}

function resultPart({ call, id, result }: SentCall): ResultPart {
  const type = result === undefined || result.isError ? "error-text" : "text";
  const value = result === undefined ? unknownOutcome : resultText(result);
  return { type: "tool-result", toolCallId: id, toolName: sentName(call.name), output: { type, value } };
}

function resultText({ content, isError }: ToolResultMessage): string {
  const lines = content.map((block) => (block.type === "text" ? block.text : "[image: see the next message]"));
  const text = lines.join("\n").toWellFormed();
  return text.trim() === "" && isError ? "failed without a message" : text;
}

function resultImages({ call, id, result }: SentCall, version: AiSdkVersion): readonly (TextPart | FilePart)[] {
  const images = (result?.content ?? []).filter((block) => block.type === "image");
  if (images.length === 0) return [];
  const head = { type: "text", text: `From the result of ${sentName(call.name)} (${id}):` } as const;
  return [head, ...images.map((image) => file(image, version))];
}

/** An empty message is still sent. */
function inputParts({ content }: UserMessage, version: AiSdkVersion): readonly (TextPart | FilePart)[] {
  const parts = content
    .filter(saysSomething)
    .map((block) => (block.type === "image" ? file(block, version) : textPart(block)));
  return parts.length === 0 ? [{ type: "text", text: emptyInput }] : parts;
}

const textPart = ({ text }: TextContent): TextPart => ({ type: "text", text: text.toWellFormed() });

function file({ data, mimeType }: ImageContent, version: AiSdkVersion): FilePart {
  return { type: "file", mediaType: mimeType, data: version === "v4" ? { type: "data", data } : data };
}

import { claimResults } from "../history/claim-results.ts";
import { sentName } from "../history/sent-name.ts";
import { takeId } from "../history/take-id.ts";
import { parseJsonObject } from "../json-object.ts";
import type { JsonObject } from "../types/json.ts";
import type { ModelRequest } from "../types/language-model.ts";
import type {
  AssistantContent,
  AssistantMessage,
  ImageContent,
  Message,
  TextContent,
  ToolCall,
  ToolResultMessage,
} from "../types/message.ts";
import { wellFormedJson } from "../well-formed-json.ts";
import type { AiSdkVersion } from "./ai-sdk-model.ts";
import type { AssistantPart, FilePart, PromptMessage, ToolResultPart, UserPart } from "./prompt-message.ts";
import { sentContent } from "./sent-content.ts";

/** Who gets a prompt. */
export interface PromptReader {
  readonly version: AiSdkVersion;
  /** As in the messages that it made. */
  readonly provider: string;
}

/** An answer and what came after it; without an answer, what came before the first one. */
interface Turn {
  readonly answer?: AssistantMessage;
  readonly followers: Exclude<Message, AssistantMessage>[];
}

/** A call as it is sent. */
interface SentCall {
  readonly call: ToolCall;
  readonly id: string;
  readonly name: string;
}

/**
 * Converts a history to what AI SDK providers take: every call is answered right after it, once, in the order of the
 * calls; no text is empty; ids are unique. What has no place is left out: results that answer nothing, calls and thinking
 * of an answer that broke off. Images of results follow in a message of the user, since not every provider takes them
 * where they stand. The same history gives the same prompt, and a longer one begins with it.
 */
export function promptOf({ system, messages }: ModelRequest, reader: PromptReader): readonly PromptMessage[] {
  const taken = new Set<string>();
  const prompt: PromptMessage[] = system.trim() === "" ? [] : [{ role: "system", content: system.toWellFormed() }];
  for (const turn of turnsOf(messages)) for (const message of turnMessages(turn, reader, taken)) add(prompt, message);
  return prompt;
}

function turnsOf(messages: readonly Message[]): readonly Turn[] {
  let turn: Turn = { followers: [] };
  const turns = [turn];
  for (const message of messages) {
    if (message.role === "assistant") {
      turn = { answer: message, followers: [] };
      turns.push(turn);
    } else {
      turn.followers.push(message);
    }
  }
  return turns;
}

function turnMessages({ answer, followers }: Turn, reader: PromptReader, taken: Set<string>): PromptMessage[] {
  const content = answer === undefined ? [] : sentContent(answer, reader.provider);
  const isForeign = answer?.provider !== reader.provider;
  const calls = content
    .filter((block) => block.type === "toolCall")
    .map((call) => ({ call, name: sentName(call.name), id: takeId(isForeign ? cleanId(call.id) : call.id, taken) }));
  const answered = answeredCalls(calls, followers);
  const inputs = followers.filter((message) => message.role === "user").map((message) => message.content);
  return [
    { role: "assistant", content: content.map((block) => assistantPart(block, calls)) },
    { role: "tool", content: answered.map(([sent, result]) => resultPart(sent, result)) },
    {
      role: "user",
      content: [
        ...answered.flatMap(([sent, result]) => resultImages(sent, result, reader.version)),
        ...inputs.flatMap((input) => inputParts(input, reader.version)),
      ],
    },
  ];
}

/** Adds a message, or its content to the last one of the same role; one without content says nothing. */
function add(prompt: PromptMessage[], message: PromptMessage): void {
  if (message.content.length === 0) return;
  const last = prompt.at(-1);
  if (last?.role === "user" && message.role === "user") {
    prompt[prompt.length - 1] = { role: "user", content: [...last.content, ...message.content] };
  } else if (last?.role === "assistant" && message.role === "assistant") {
    prompt[prompt.length - 1] = { role: "assistant", content: [...last.content, ...message.content] };
  } else {
    prompt.push(message);
  }
}

/** Providers make ids of their own kinds, and one may refuse another's. */
const cleanId = (id: string): string => id.replace(/[^a-zA-Z0-9_-]/g, "_");

function assistantPart(block: AssistantContent, calls: readonly SentCall[]): AssistantPart {
  const options = providerOptions(block.signature);
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text.toWellFormed(), ...options };
    case "thinking":
      return { type: "reasoning", text: block.thinking, ...options };
    case "toolCall": {
      const { id = block.id, name = block.name } = calls.find(({ call }) => call === block) ?? {};
      return { type: "tool-call", toolCallId: id, toolName: name, input: wellFormed(block.arguments), ...options };
    }
  }
}

function providerOptions(signature: string | undefined): { readonly providerOptions?: JsonObject } {
  const options = signature === undefined ? undefined : parseJsonObject(signature);
  return options === undefined ? {} : { providerOptions: options };
}

/** Most servers refuse halves of surrogate pairs. What has none stays the same object. */
function wellFormed(input: JsonObject): JsonObject {
  return JSON.stringify(input).includes("\\ud") ? (parseJsonObject(wellFormedJson(input)) ?? {}) : input;
}

type AnsweredCall = readonly [SentCall, ToolResultMessage | undefined];

function answeredCalls(calls: readonly SentCall[], followers: Turn["followers"]): readonly AnsweredCall[] {
  const results = claimResults(
    calls.map(({ call }) => call),
    followers,
  );
  return calls.map((sent, place) => [sent, results[place]]);
}

/** A call whose result is not in the history has run, or not: nobody knows. */
function resultPart({ id, name }: SentCall, result: ToolResultMessage | undefined): ToolResultPart {
  const type = result === undefined || result.isError ? "error-text" : "text";
  const value = result === undefined ? "interrupted, outcome unknown" : resultText(result);
  return { type: "tool-result", toolCallId: id, toolName: name, output: { type, value } };
}

function resultText({ content, isError }: ToolResultMessage): string {
  const lines = content.map((block) => (block.type === "text" ? block.text : "[image: see the next message]"));
  const text = lines.join("\n").toWellFormed();
  return text.trim() === "" && isError ? "failed without a message" : text;
}

function resultImages(
  { id, name }: SentCall,
  result: ToolResultMessage | undefined,
  version: AiSdkVersion,
): UserPart[] {
  const images = (result?.content ?? []).filter((block) => block.type === "image");
  if (images.length === 0) return [];
  return [{ type: "text", text: `Of the result of ${name} (${id}):` }, ...images.map((image) => file(image, version))];
}

/** What the user said. A message that says nothing has its place all the same. */
function inputParts(content: readonly (TextContent | ImageContent)[], version: AiSdkVersion): UserPart[] {
  const parts = content
    .filter((block) => block.type === "image" || block.text.trim() !== "")
    .map((block): UserPart => (block.type === "image" ? file(block, version) : textPart(block)));
  return parts.length === 0 ? [{ type: "text", text: "(empty)" }] : parts;
}

const textPart = ({ text }: TextContent): UserPart => ({ type: "text", text: text.toWellFormed() });

function file({ data, mimeType }: ImageContent, version: AiSdkVersion): FilePart {
  return { type: "file", mediaType: mimeType, data: version === "v4" ? { type: "data", data } : data };
}

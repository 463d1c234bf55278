import { createHash } from "node:crypto";
import { listOf, parseJsonObject, wellFormedJson } from "@mdx-ai/base";
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPartImage,
  ChatCompletionContentPartText,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionSystemMessageParam,
  ChatCompletionToolMessageParam,
  ChatCompletionUserMessageParam,
} from "openai/resources/chat/completions";
import type { RefusedMarks } from "../history/refused-marks.ts";
import { type SentCall, SentHistory, type SentTurn } from "../history/sent-history.ts";
import {
  emptyInput,
  freeId,
  portableContent,
  type Sent,
  saysSomething,
  sentName,
  shortenedId,
  unknownOutcome,
} from "../history/sent-parts.ts";
import type { ImageContent, TextContent, ThinkingContent, ToolResultMessage, UserMessage } from "../types/message.ts";
import type { Dialect } from "./dialects.ts";
import type { EmptyContent } from "./empty-content.ts";
import { NO_SIGNATURE } from "./refused-signatures.ts";
import type { ThinkingBack } from "./thinking-back.ts";

type WireText = Sent<ChatCompletionContentPartText>;
type WireImage = Sent<ChatCompletionContentPartImage>;
type WireContent = string | readonly (WireText | WireImage)[];

/** With Gemini's data to send back. */
type WireCall = Sent<ChatCompletionMessageFunctionToolCall> & { readonly extra_content?: unknown };

/** With the thinking fields of DeepSeek, OpenRouter and others. */
interface WireAssistant extends Sent<Pick<ChatCompletionAssistantMessageParam, "role">> {
  readonly content: string | null;
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly reasoning_text?: string;
  readonly reasoning_details?: readonly unknown[];
  readonly tool_calls?: readonly WireCall[];
}

export type WireMessage =
  | Sent<ChatCompletionSystemMessageParam>
  | (Sent<Omit<ChatCompletionUserMessageParam, "content">> & { readonly content: WireContent })
  | (Sent<Omit<ChatCompletionToolMessageParam, "content">> & { readonly content: WireContent })
  | WireAssistant;

/** The receiver of a history. */
export interface Recipient {
  readonly vendor: string;
  readonly dialect: Dialect;
  readonly takesImages: boolean;
  /** Signatures that are not sent back. */
  readonly refused: RefusedMarks;
  readonly thinkingBack: ThinkingBack;
  readonly emptyContent: EmptyContent;
}

/** A message as JSON, so that the text can be reused. */
export interface WireJson {
  readonly role: string;
  readonly json: string;
}

/** Maximum characters of a call id for OpenAI. */
const longestId = 40;

/** The model message inserted between a tool result and a user message. */
const silence: WireMessage = { role: "assistant", content: "(no answer)" };

/**
 * Converts histories for a server of this protocol: every answer is followed by its calls' results, then by the images of the results, then
 * by the user's messages; no message is empty.
 */
export const wireHistory = (recipient: Recipient): SentHistory<WireJson> =>
  new SentHistory({
    takesImages: recipient.takesImages,
    content: (answer) => portableContent(answer, recipient.vendor),
    id: ({ id }, _, taken) =>
      freeId(recipient.dialect.callIds === "nine" ? nineCharacters(id) : shortenedId(id, longestId), taken),
    add: (wire, turn) => wire.push(...turnMessages(turn, recipient, wire.at(-1)?.role).map(asJson)),
  });

const asJson = (message: WireMessage): WireJson => ({ role: message.role, json: wellFormedJson(message) });

function turnMessages(turn: SentTurn, recipient: Recipient, lastRole: string | undefined): readonly WireMessage[] {
  const { dialect } = recipient;
  const answer = sentAnswer(turn, recipient) ?? [];
  const said = [answer, turn.calls.map((call) => toolMessage(call, dialect))].flat();
  const inputs = [...imageMessages(turn.calls, dialect), ...turn.inputs.map(userMessage)];
  const isAfterResult = (said.at(-1)?.role ?? lastRole) === "tool";
  const isBridged = isAfterResult && inputs.length > 0 && !dialect.userAfterResult;
  return [...said, ...(isBridged ? [silence] : []), ...inputs];
}

const nineCharacters =
  (id: string) =>
  (count: number): string =>
    count === 1 && /^[a-zA-Z0-9]{9}$/.test(id)
      ? id
      : createHash("sha256").update(`${count} ${id}`).digest("hex").slice(0, 9);

/** An answer as sent back; undefined if nothing of it can be sent. */
function sentAnswer(turn: SentTurn, recipient: Recipient): WireMessage | undefined {
  const text = turn.content.flatMap((block) => (block.type === "text" && block.text.trim() ? [block.text] : []));
  if (text.length === 0 && turn.calls.length === 0) return undefined;
  const { vendor, dialect, refused, emptyContent } = recipient;
  const calls = dialect.signsCalls
    ? signedCalls(turn.calls, (signature) => turn.answer?.provider === vendor && !refused.has(signature))
    : turn.calls.map(wireCall);
  return {
    role: "assistant",
    content: text.length === 0 ? emptyContent.value : text.join("\n"),
    ...sentThinking(turn, recipient),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** The thinking to send back. A model cannot use another model's, but DeepSeek requires the field on each answer once there are tools. */
function sentThinking({ content, calls }: SentTurn, { dialect, thinkingBack }: Recipient): Partial<WireAssistant> {
  const thoughts = content.filter((block) => block.type === "thinking");
  switch (dialect.thinkingBack) {
    case "reasoning_content":
      return { reasoning_content: thoughts.map(({ thinking }) => thinking).join("") };
    case "reasoning_details": {
      const details = thoughts.flatMap(detailsOf);
      return details.length === 0 ? {} : { reasoning_details: details };
    }
    default:
      return calls.length === 0 ? {} : thinkingBack.fieldOf(content);
  }
}

const detailsOf = ({ signature = "" }: ThinkingContent): readonly unknown[] =>
  listOf(parseJsonObject(`{"details":${signature}}`)?.["details"]);

const wireCall = ({ id, call }: SentCall): WireCall => ({
  id,
  type: "function",
  function: { name: sentName(call.name), arguments: wellFormedJson(call.arguments) },
});

const noSignature = { google: { thought_signature: NO_SIGNATURE } };

/** The calls with Gemini's signatures; the first call of an answer always has one. */
function signedCalls(calls: readonly SentCall[], isTaken: (signature: string) => boolean): readonly WireCall[] {
  return calls.map((sent, index) => {
    const { signature = "" } = sent.call;
    const own = isTaken(signature) ? parseJsonObject(signature) : undefined;
    const extra = own ?? (index === 0 ? noSignature : undefined);
    return extra === undefined ? wireCall(sent) : { ...wireCall(sent), extra_content: extra };
  });
}

/** The result of a call, with its images only if the vendor accepts them there. */
function toolMessage({ id, result }: SentCall, { resultImages }: Dialect): WireMessage {
  const images = resultImages === "inside" ? imagesOf(result) : [];
  const text = resultText(result);
  return { role: "tool", tool_call_id: id, content: images.length === 0 ? text : [wireText(text), ...images] };
}

/** The images of results in a separate message, grouped by tool; none if they are sent with the results. */
function imageMessages(calls: readonly SentCall[], { resultImages }: Dialect): readonly WireMessage[] {
  if (resultImages === "inside") return [];
  const content = calls.flatMap(({ result }) => {
    const images = imagesOf(result);
    return images.length === 0 ? [] : [wireText(`From the tool ${result?.toolName}:`), ...images];
  });
  return content.length === 0 ? [] : [{ role: "user", content }];
}

/** A user's message. Servers refuse an empty one. */
function userMessage({ content }: UserMessage): WireMessage {
  const said = content.filter(saysSomething);
  const hasImages = said.some(({ type }) => type === "image");
  return { role: "user", content: hasImages ? said.map(wireBlock) : textOf(said) || emptyInput };
}

/** The text of a tool result, never empty. OpenAI's protocols have no error flag, so the text says that a tool failed. */
export function resultText(result: ToolResultMessage | undefined): string {
  if (result === undefined) return `Error: ${unknownOutcome}`;
  const text = textOf(result.content.filter(saysSomething));
  if (result.isError) return /^error/i.test(text) ? text : `Error: ${text || "failed without a message"}`;
  return text || (imagesOf(result).length > 0 ? "(an image)" : "(no output)");
}

/** One string, since some servers accept no list. */
const textOf = (content: readonly (TextContent | ImageContent)[]): string =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");

const imagesOf = (result: ToolResultMessage | undefined): readonly WireImage[] =>
  (result?.content ?? []).flatMap((block) => (block.type === "image" ? [wireImage(block)] : []));

const wireBlock = (block: TextContent | ImageContent): WireText | WireImage =>
  block.type === "text" ? wireText(block.text) : wireImage(block);

const wireText = (text: string): WireText => ({ type: "text", text });

const wireImage = ({ data, mimeType }: ImageContent): WireImage => ({
  type: "image_url",
  image_url: { url: `data:${mimeType};base64,${data}` },
});

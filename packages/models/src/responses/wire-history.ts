import { type JsonObject, listOf, recordOf, textOf, type UnknownRecord, wellFormedJson } from "@mdx-ai/base";
import type {
  EasyInputMessage,
  ResponseFunctionToolCall,
  ResponseInputImage,
  ResponseInputItem,
  ResponseInputText,
  ResponseOutputMessage,
} from "openai/resources/responses/responses";
import type { RefusedRequest } from "../adaptations/adaptation.ts";
import { sentSearch } from "../history/provider-search.ts";
import type { SentCall, SentTurn } from "../history/sent-history.ts";
import { emptyInput, freeId, type Sent, saysSomething, sentName, shortenedId } from "../history/sent-parts.ts";
import { ThinkingHistory } from "../history/thinking-history.ts";
import { resultText } from "../openai/wire-history.ts";
import type { AssistantContent, ImageContent, TextContent, UserMessage } from "../types/message.ts";
import { type SentReasoning, sentReasoning } from "./reasoning-item.ts";

/** Maximum characters of a call id. */
const longestId = 64;

/** Each item is JSON. */
export type WireHistory = ThinkingHistory<string>;

/** The receiver of a history. */
export interface Recipient {
  readonly vendor: string;
  readonly takesImages: boolean;
  /** Whether it thinks; otherwise it refuses thinking. */
  readonly thinks: boolean;
}

/** Converts histories for the responses interface: every call is followed by its output. */
export const wireHistory = ({ vendor, takesImages, thinks }: Recipient): WireHistory =>
  new ThinkingHistory({
    vendor,
    takesImages,
    id: ({ id }, _, taken) => freeId(shortenedId(id, longestId), taken),
    add: (wire, turn) => wire.push(...turnItems(turn).map(wellFormedJson)),
    markOf: (thinking) => {
      if (sentSearch(thinking) !== undefined) return thinking.signature;
      return thinks ? sentReasoning(thinking)?.encrypted_content : undefined;
    },
    isRefusal,
    marksIn,
  });

/** Servers' words for rejected thinking. */
const REFUSAL =
  /encrypted content .*could not be (?:verified|decrypted)|of type 'reasoning' |reasoning (?:input )?items /i;

/** Thinking is bound to a key's organization, and on some servers to the model. */
const isRefusal = ({ said }: RefusedRequest): boolean =>
  said.includes("invalid_encrypted_content") || REFUSAL.test(said);

const marksIn = ({ input }: UnknownRecord): readonly string[] =>
  listOf(input)
    .map(recordOf)
    .filter(({ type }) => type === "reasoning")
    .map(({ encrypted_content: encrypted }) => textOf(encrypted));

type WireInput = Sent<ResponseInputText> | Sent<ResponseInputImage>;

/** Items that are not stored have no id on the server, so answers and calls are sent back without ids. */
type WireAnswer = Sent<Omit<ResponseOutputMessage, "id" | "status">>;
type WireUser = Sent<Pick<EasyInputMessage, "role" | "type">> & { readonly content: readonly WireInput[] };
type WireCall = Sent<Pick<ResponseFunctionToolCall, "type" | "call_id" | "name" | "arguments">>;
type WireOutput = Sent<Pick<ResponseInputItem.FunctionCallOutput, "type" | "call_id">> & {
  readonly output: string | readonly WireInput[];
};

type WireItem = WireAnswer | WireUser | WireCall | WireOutput | SentReasoning | JsonObject;

/** The items of a turn: the answer's in order, the outputs of its calls, and the user's messages. */
function turnItems({ content, ids, calls, inputs }: SentTurn): readonly WireItem[] {
  const answer = content.flatMap((block): readonly WireItem[] => {
    const item = answerItem(block, ids);
    return item === undefined ? [] : [item];
  });
  return [...answer, ...calls.map(callOutput), ...inputs.map(userItem)];
}

function answerItem(block: AssistantContent, ids: SentTurn["ids"]): WireItem | undefined {
  switch (block.type) {
    case "text":
      return answerMessage(block);
    case "thinking":
      return sentSearch(block) ?? sentReasoning(block);
    case "toolCall": {
      const name = sentName(block.name);
      const call_id = ids.get(block) ?? block.id;
      return { type: "function_call", call_id, name, arguments: wellFormedJson(block.arguments) };
    }
  }
}

/** Newer models label a text as commentary or answer, and require the label back. */
function answerMessage({ text, signature: phase }: TextContent): WireAnswer {
  const content = [{ type: "output_text", text, annotations: [] }] as const;
  const message = { type: "message", role: "assistant", content } as const;
  return phase === "commentary" || phase === "final_answer" ? { ...message, phase } : message;
}

/** A result with images is a list, any other a string. */
function callOutput({ id, result }: SentCall): WireOutput {
  const text = resultText(result);
  const images = (result?.content ?? []).filter(({ type }) => type === "image").map(inputPart);
  return {
    type: "function_call_output",
    call_id: id,
    output: images.length === 0 ? text : [inputText(text), ...images],
  };
}

function userItem({ content }: UserMessage): WireUser {
  const said = content.filter(saysSomething).map(inputPart);
  return { type: "message", role: "user", content: said.length === 0 ? [inputText(emptyInput)] : said };
}

const inputPart = (block: TextContent | ImageContent): WireInput =>
  block.type === "text" ? inputText(block.text) : inputImage(block);

const inputText = (text: string): WireInput => ({ type: "input_text", text });

const inputImage = ({ data, mimeType }: ImageContent): WireInput => ({
  type: "input_image",
  detail: "auto",
  image_url: `data:${mimeType};base64,${data}`,
});

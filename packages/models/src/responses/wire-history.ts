import { listOf, recordOf, textOf, type UnknownRecord, wellFormedJson } from "@mdx-ai/base";
import type {
  EasyInputMessage,
  ResponseFunctionToolCall,
  ResponseInputImage,
  ResponseInputItem,
  ResponseInputText,
  ResponseOutputMessage,
} from "openai/resources/responses/responses";
import type { RefusedRequest } from "../adaptations/adaptation.ts";
import type { SentCall, SentTurn } from "../history/sent-history.ts";
import { emptyInput, freeId, type Sent, saysSomething, sentName, shortenedId } from "../history/sent-parts.ts";
import { ThinkingHistory } from "../history/thinking-history.ts";
import { resultText } from "../openai/wire-history.ts";
import type { AssistantContent, ImageContent, TextContent, UserMessage } from "../types/message.ts";
import { type SentReasoning, sentReasoning } from "./reasoning-item.ts";

/** Characters of the id of a call that the interface accepts. */
const longestId = 64;

/** Each item is JSON. */
export type WireHistory = ThinkingHistory<string>;

/** To which model histories are sent. */
export interface Recipient {
  readonly vendor: string;
  readonly takesImages: boolean;
  /** Whether it thinks; one that does not refuses what others thought. */
  readonly thinks: boolean;
}

/** Converts histories to what the responses interface accepts: every call is followed by its output. */
export const wireHistory = ({ vendor, takesImages, thinks }: Recipient): WireHistory =>
  new ThinkingHistory({
    vendor,
    takesImages,
    id: ({ id }, _, taken) => freeId(shortenedId(id, longestId), taken),
    add: (wire, turn) => wire.push(...turnItems(turn).map(wellFormedJson)),
    markOf: (thinking) => (thinks ? sentReasoning(thinking)?.encrypted_content : undefined),
    isRefusal,
    marksIn,
  });

/** What servers say of thinking that they do not take back. */
const REFUSAL =
  /encrypted content .*could not be (?:verified|decrypted)|of type 'reasoning' |reasoning (?:input )?items /i;

/** Thinking is bound to the organization of a key, and with some servers to the model that thought. */
const isRefusal = ({ said }: RefusedRequest): boolean =>
  said.includes("invalid_encrypted_content") || REFUSAL.test(said);

const marksIn = ({ input }: UnknownRecord): readonly string[] =>
  listOf(input)
    .map(recordOf)
    .filter(({ type }) => type === "reasoning")
    .map(({ encrypted_content: encrypted }) => textOf(encrypted));

type WireInput = Sent<ResponseInputText> | Sent<ResponseInputImage>;

/** What is not stored has no id on the server, so that answers and calls go back without theirs. */
type WireAnswer = Sent<Omit<ResponseOutputMessage, "id" | "status">>;
type WireUser = Sent<Pick<EasyInputMessage, "role" | "type">> & { readonly content: readonly WireInput[] };
type WireCall = Sent<Pick<ResponseFunctionToolCall, "type" | "call_id" | "name" | "arguments">>;
type WireOutput = Sent<Pick<ResponseInputItem.FunctionCallOutput, "type" | "call_id">> & {
  readonly output: string | readonly WireInput[];
};

type WireItem = WireAnswer | WireUser | WireCall | WireOutput | SentReasoning;

/** The items of a turn: the answer's own in their order, the outputs of its calls, and what the user said. */
function turnItems({ content, ids, calls, inputs }: SentTurn): readonly WireItem[] {
  const answer = content.flatMap((block) => answerItem(block, ids) ?? []);
  return [...answer, ...calls.map(callOutput), ...inputs.map(userItem)];
}

function answerItem(block: AssistantContent, ids: SentTurn["ids"]): WireItem | undefined {
  switch (block.type) {
    case "text":
      return answerMessage(block);
    case "thinking":
      return sentReasoning(block);
    case "toolCall": {
      const name = sentName(block.name);
      const call_id = ids.get(block) ?? block.id;
      return { type: "function_call", call_id, name, arguments: wellFormedJson(block.arguments) };
    }
  }
}

/** Newer models say whether a text comments or answers, and want that back. */
function answerMessage({ text, signature: phase }: TextContent): WireAnswer {
  const content = [{ type: "output_text", text, annotations: [] }] as const;
  const message = { type: "message", role: "assistant", content } as const;
  return phase === "commentary" || phase === "final_answer" ? { ...message, phase } : message;
}

/** A result with images is a list, any other a text. */
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

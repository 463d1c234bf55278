import type { ImageContent, JsonValue, TextContent } from "@mdx-ai/models";
import { errorMessage } from "../error-message.ts";
import { isRecord } from "../record.ts";
import type { ToolResult } from "../types/tool.ts";
import { droppedNotice, headOf, OUTPUT_LIMIT } from "./text-limit.ts";

/** A result whose text is within `OUTPUT_LIMIT`; `dropped` characters were cut off at its end. */
export type BoundedResult = ToolResult & { readonly dropped?: number };

type Content = TextContent | ImageContent;

/** A tool returned a value that JSON cannot express. */
class ResultNotJsonError extends Error {
  override readonly name = "ResultNotJsonError";
}

/** Characters of JSON that the details of one result may have. */
const DETAILS_LIMIT = 256_000;

/** Base64 characters of images that one result may have. */
const IMAGE_LIMIT = 20_000_000;

/** A result of one text. */
export function textResult(text: string): BoundedResult {
  return { content: [{ type: "text", text }] };
}

/** A failed call's result of one text. */
export function errorResult(text: string): BoundedResult & { readonly isError: true } {
  return { ...textResult(text), isError: true };
}

/** Whatever a tool returned, as a model receives it: as `boundedResult`, with a notice of what was cut off. */
export function finishedResult(value: unknown): ToolResult {
  return withDroppedNotice(boundedResult(value));
}

/**
 * Whatever a tool returned, as a result within the limits. A string stays as it is, undefined is empty, `{content, isError,
 * details}` is a result already (its content may be a string too), all else becomes JSON text. The text of all blocks
 * together is cut to `OUTPUT_LIMIT`; images over their limit become a line of text. Throws `ResultNotJsonError` for
 * functions, symbols, BigInt and cycles.
 */
export function boundedResult(value: unknown): BoundedResult {
  const { dropped: droppedBefore = 0, ...result } = toResult(value);
  let room = OUTPUT_LIMIT;
  let dropped = droppedBefore;
  const content: Content[] = [];
  for (const block of boundImages(result.content)) {
    if (block.type === "image") {
      content.push(block);
      continue;
    }
    const text = headOf(block.text, room);
    room = text.length < block.text.length ? 0 : room - text.length;
    dropped += block.text.length - text.length;
    if (text !== "" || block.text === "") content.push({ type: "text", text });
  }
  return dropped === 0 ? { ...result, content } : { ...result, content, dropped };
}

/** Says at the end of the text how many characters are missing, if any. */
function withDroppedNotice({ dropped, ...result }: BoundedResult): ToolResult {
  if (!dropped) return result;
  const notice = droppedNotice(dropped);
  const hasText = result.content.some((block) => block.type === "text");
  return hasText
    ? withNote(result, notice)
    : { ...result, content: [...result.content, { type: "text", text: notice }] };
}

/** A result with one more line at the end of its last text; the same result if the note is "" or there is no text. */
export function withNote<Result extends ToolResult>(result: Result, note: string): Result {
  if (note === "") return result;
  const last = result.content.findLastIndex((block) => block.type === "text");
  const content = result.content.map((block, index) =>
    index === last && block.type === "text" ? { ...block, text: `${block.text.replace(/\n$/, "")}\n${note}` } : block,
  );
  return { ...result, content };
}

/** Whether a value is one block of a result's content. */
export function isContent(value: unknown): value is Content {
  if (!isRecord(value)) return false;
  if (value["type"] === "text") return typeof value["text"] === "string";
  return value["type"] === "image" && typeof value["data"] === "string" && typeof value["mimeType"] === "string";
}

function toResult(value: unknown): BoundedResult {
  if (typeof value === "string") return textResult(value);
  if (value === undefined) return textResult("");
  if (!isRecord(value)) return textResult(jsonText(value));
  const content = contentOf(value["content"]);
  if (!content) return textResult(jsonText(value));
  return {
    content,
    ...(value["isError"] === true ? { isError: true } : {}),
    ...(value["details"] === undefined ? {} : { details: jsonValue(value["details"]) }),
    ...droppedOf(value["dropped"]),
  };
}

function contentOf(value: unknown): readonly Content[] | undefined {
  if (typeof value === "string") return [{ type: "text", text: value }];
  return Array.isArray(value) && value.every(isContent) ? value.map(plainContent) : undefined;
}

function droppedOf(value: unknown): Pick<BoundedResult, "dropped"> {
  return Number.isSafeInteger(value) && Number(value) > 0 ? { dropped: Number(value) } : {};
}

/** Without keys that a tool's author added: a provider would refuse them. */
function plainContent(block: Content): Content {
  return block.type === "text"
    ? { type: "text", text: block.text }
    : { type: "image", data: block.data, mimeType: block.mimeType };
}

function boundImages(content: readonly Content[]): Content[] {
  let room = IMAGE_LIMIT;
  return content.map((block) => {
    if (block.type === "text") return block;
    room -= block.data.length;
    if (room >= 0) return block;
    return { type: "text", text: `[an image of ${block.data.length} base64 characters was dropped: too large]` };
  });
}

function jsonText(value: unknown): string {
  const text = stringify(value);
  if (text === undefined) throw new ResultNotJsonError(`the tool returned a ${typeof value}, which is not JSON`);
  return text;
}

function jsonValue(value: unknown): JsonValue {
  const text = jsonText(value);
  if (text.length > DETAILS_LIMIT) return { dropped: text.length };
  const plain: JsonValue = JSON.parse(text);
  return plain;
}

function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new ResultNotJsonError(`the tool returned a value that is not JSON: ${reason}`, { cause });
  }
}

import type { ImageContent, JsonValue, TextContent } from "@mdx-ai/models";
import { errorMessage } from "../error-message.ts";
import { isRecord } from "../record.ts";
import type { BoundedResult } from "./bounded-result.ts";

/** A tool returned what cannot be told as JSON. */
class ResultNotJsonError extends Error {
  override readonly name = "ResultNotJsonError";
}

/** Characters of JSON that the details of one result may hold. */
const DETAILS_LIMIT = 256_000;

/**
 * Whatever a tool returned, as a result. A string stays as it is, undefined is empty, `{content, isError, details}` is
 * a result already (its content may be a string too), all else becomes JSON text.
 * Throws `ResultNotJsonError` for functions, symbols, BigInt and cycles.
 */
export function toToolResult(value: unknown): BoundedResult {
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

/** A result of one text. */
export function textResult(text: string): BoundedResult {
  return { content: [{ type: "text", text }] };
}

/** Whether a value is one block of a result's content. */
export function isContent(value: unknown): value is TextContent | ImageContent {
  if (!isRecord(value)) return false;
  if (value["type"] === "text") return typeof value["text"] === "string";
  return value["type"] === "image" && typeof value["data"] === "string" && typeof value["mimeType"] === "string";
}

function contentOf(value: unknown): readonly (TextContent | ImageContent)[] | undefined {
  if (typeof value === "string") return [{ type: "text", text: value }];
  return Array.isArray(value) && value.every(isContent) ? value.map(plainContent) : undefined;
}

function droppedOf(value: unknown): Pick<BoundedResult, "dropped"> {
  return Number.isSafeInteger(value) && Number(value) > 0 ? { dropped: Number(value) } : {};
}

/** Without keys that a tool's author added: a provider would refuse them. */
function plainContent(block: TextContent | ImageContent): TextContent | ImageContent {
  return block.type === "text"
    ? { type: "text", text: block.text }
    : { type: "image", data: block.data, mimeType: block.mimeType };
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

import { errorMessage, isRecord, type JsonValue } from "@mdx-ai/base";
import type { ImageContent, TextContent } from "@mdx-ai/models";
import { isCost } from "./cost.ts";
import type { ToolResult } from "./types/tool.ts";

/** The maximum characters (UTF-16 code units) of text in one tool result. */
export const OUTPUT_LIMIT = 32_000;

/** The notice of how much of a result is missing. */
export const droppedNotice = (characters: number, limit: number = OUTPUT_LIMIT, unit = "characters"): string =>
  `[${characters} characters dropped: a tool result has at most ${limit} ${unit}]`;

/** The first `limit` UTF-16 code units of a text, or fewer to avoid splitting a surrogate pair or a word, which may be a key. */
export function headOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = splitWord(text, limit)?.start ?? limit;
  return text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end);
}

/** The last `limit` UTF-16 code units of a text, or fewer as for `headOf`. */
export function tailOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = splitWord(text, text.length - limit)?.end ?? text.length - limit;
  return text.slice(isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start);
}

function isHighSurrogate(codeUnit: number): boolean {
  return codeUnit >= 0xd800 && codeUnit <= 0xdbff;
}

/** A result within `OUTPUT_LIMIT`; `dropped` characters were cut off at the end. */
export type BoundedResult = ToolResult & { readonly dropped?: number };

type Content = TextContent | ImageContent;

/** A tool returned a value that JSON cannot represent. */
class ResultNotJsonError extends Error {
  override readonly name = "ResultNotJsonError";
}

/** The maximum JSON characters in the details of one result. */
const DETAILS_LIMIT = 256_000;

/** The maximum base64 characters of images in one result. */
const IMAGE_LIMIT = 20_000_000;

/** A result with one text. */
export function textResult(text: string): BoundedResult {
  return { content: [{ type: "text", text }] };
}

/** An error result with one text. */
export function errorResult(text: string): BoundedResult & { readonly isError: true } {
  return { ...textResult(text), isError: true };
}

/** As `boundedResult`, with a notice of how many characters were cut off. */
export function finishedResult(value: unknown, limit: number = OUTPUT_LIMIT): ToolResult {
  const { dropped, ...result } = boundedResult(value, limit);
  if (!dropped) return result;
  const notice = droppedNotice(dropped, limit);
  return withNote(result, notice);
}

/**
 * Converts a tool's return value to a result within the limits. A string stays unchanged, undefined is a line that says so, `{content,
 * isError, details}` is a result already (its content may be a string), any other value becomes JSON text, a Map and a Set by their
 * entries. The text of all blocks together is cut to the limit; images over their limit become a line of text. Throws
 * `ResultNotJsonError` for functions, symbols, BigInt, cycles and objects of which JSON shows nothing, such as a `Response`.
 */
export function boundedResult(value: unknown, limit: number = OUTPUT_LIMIT): BoundedResult {
  const { dropped: droppedBefore = 0, ...result } = toResult(value);
  let room = limit;
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

/** Appends a line to the last text of a result. Returns the same result if the note is "". */
export function withNote<Result extends ToolResult>(result: Result, note: string): Result {
  if (note === "") return result;
  const last = result.content.findLastIndex((block) => block.type === "text");
  if (last === -1) return { ...result, content: [...result.content, { type: "text", text: note }] };
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
  if (value === undefined) return textResult("[the tool returned nothing]");
  if (!isRecord(value)) return textResult(jsonText(value));
  requireVisible(value);
  const content = contentOf(value["content"]);
  if (!content) return textResult(jsonText(value));
  const { isError, details, cost, dropped } = value;
  return {
    content,
    ...(isError === true && { isError }),
    ...(details !== undefined && { details: jsonValue(details) }),
    ...(isCost(cost) && { cost }),
    ...(Number.isSafeInteger(dropped) && Number(dropped) > 0 && { dropped: Number(dropped) }),
  };
}

function contentOf(value: unknown): readonly Content[] | undefined {
  if (typeof value === "string") return [{ type: "text", text: value }];
  return Array.isArray(value) && value.every(isContent) ? value.map(plainContent) : undefined;
}

/** Drops additional keys, which a provider would reject. */
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

function jsonValue(value: unknown): JsonValue {
  const text = jsonText(value);
  return text.length > DETAILS_LIMIT ? { dropped: text.length } : JSON.parse(text);
}

/** Throws for an object whose members JSON does not show: its author means more than `{}`. */
function requireVisible(value: object): void {
  if (withEntries("", value) !== value || "toJSON" in value || Object.keys(value).length > 0) return;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return;
  const name = value.constructor?.name || "object";
  const hint = value instanceof Response ? ": return its text, as in `await response.text()`" : "";
  throw new ResultNotJsonError(`the tool returned a ${name}, of which JSON shows nothing${hint}`);
}

/** Replaces values that JSON would show as `{}`. */
function withEntries(_key: string, value: unknown): unknown {
  if (value instanceof Set) return [...value];
  if (value instanceof Error) return { ...value, name: value.name, message: value.message };
  if (!(value instanceof Map)) return value;
  const entries: readonly (readonly [unknown, unknown])[] = [...value];
  return entries.every(([key]) => typeof key === "string") ? Object.fromEntries(entries) : entries;
}

function jsonText(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value, withEntries);
  } catch (cause) {
    throw new ResultNotJsonError(`the tool returned a value that is not JSON: ${errorMessage(cause)}`, { cause });
  }
  if (text === undefined) throw new ResultNotJsonError(`the tool returned a ${typeof value}, which is not JSON`);
  return text;
}

/** In characters. A longer word is text without spaces, such as base64, and not a key. */
const MAX_KEY = 2_048;

/** Characters that no key contains. */
const BREAK = /[^!-~]|["'`,;<>(){}[\]|\\]/;

/** A range of a text. */
interface Word {
  readonly start: number;
  readonly end: number;
}

/**
 * The word that a cut at this index would split; undefined if there is none, or if it is too long for a key. Half a key is
 * not recognised by the redactor, so a cut leaves out the whole word. Reads at most 2,048 characters on each side.
 */
export function splitWord(text: string, index: number): Word | undefined {
  let [start, end] = [index, index];
  while (start > 0 && end - start <= MAX_KEY && !BREAK.test(text.charAt(start - 1))) start -= 1;
  while (end < text.length && end - start <= MAX_KEY && !BREAK.test(text.charAt(end))) end += 1;
  const isSplit = start < index && index < end && end - start <= MAX_KEY;
  return isSplit ? { start, end } : undefined;
}

const CONTROL = /\p{Cc}/u;

/** A path as one line of a text for a model: a JSON string if it contains a line end or another control character. */
export const pathText = (path: string): string => (CONTROL.test(path) ? JSON.stringify(path) : path);

import type { JsonValue } from "@mdx-ai/base";
import type { ImageContent, TextContent } from "@mdx-ai/models";
import type { CallToolResult, GetPromptResult } from "@modelcontextprotocol/client";
import type { McpCallResult } from "../mcp-connection.ts";
import { readBlock, textContent } from "./read-content.ts";

/** Levels of structured content. Deeper values take seconds to serialize or overflow the stack. */
const MAX_LEVELS = 200;

/** The result of a call, cut to a size limit. If it has only structured content, that is also its text. */
export function callResult({ content, structuredContent, isError = false }: CallToolResult): McpCallResult {
  const read = content.map(readBlock);
  const base = { isError };
  const bounded = boundedContent(read);
  if (!isJson(structuredContent)) return { ...base, content: bounded };
  if (isDeeper(structuredContent, MAX_LEVELS)) return { ...base, content: [...bounded, TOO_DEEP] };
  const json = JSON.stringify(structuredContent);
  const shown = read.length === 0 ? boundedContent([textContent(json)]) : bounded;
  if (json.length <= MAX_TEXT) return { ...base, content: shown, structuredContent };
  const size = json.length.toLocaleString("en");
  return { ...base, content: [...shown, textContent(`[Structured content of ${size} characters was left out]`)] };
}

const TOO_DEEP = textContent(`[Structured content of more than ${MAX_LEVELS} levels was left out]`);

/** Iterates level by level, since recursion would overflow the stack. */
function isDeeper(value: unknown, most: number): boolean {
  let level = [value];
  for (let count = 0; level.length > 0; count++) {
    if (count > most) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}

/** Narrows a value that `JSON.parse` returned. */
const isJson = (value: unknown): value is JsonValue => value !== undefined;

type Content = TextContent | ImageContent;

/** Total characters of text in a result. */
const MAX_TEXT = 1_000_000;

/** Total base64 characters of images in a result. */
const MAX_IMAGES = 10_000_000;

/** Parts of a result. */
const MAX_PARTS = 1_000;

/** Cuts a result to the size limits. A text replaces what is dropped and says so. */
export function boundedContent(content: readonly Content[]): readonly Content[] {
  let text = MAX_TEXT;
  let images = MAX_IMAGES;
  const bounded = content.slice(0, MAX_PARTS).map((part) => {
    if (part.type === "text") {
      const kept = cutText(part, text);
      text -= Math.min(part.text.length, text);
      return kept;
    }
    if (part.data.length > images)
      return textContent(`[An image of the type ${part.mimeType} was left out: too large]`);
    images -= part.data.length;
    return part;
  });
  const more = content.length - bounded.length;
  return more > 0 ? [...bounded, textContent(`[${more.toLocaleString("en")} more parts were left out]`)] : bounded;
}

function cutText(part: TextContent, length: number): TextContent {
  if (part.text.length <= length) return part;
  // Do not cut a surrogate pair in half.
  const kept = part.text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
  const more = (part.text.length - kept.length).toLocaleString("en");
  return textContent(`${kept}\n[${more} more characters were left out]`);
}

/** The messages of a prompt as one text. If there are several speakers, the assistant's messages are labelled. */
export function promptText(messages: GetPromptResult["messages"]): string {
  const isDialogue = messages.some(({ role }) => role === "assistant");
  const parts = messages.map(({ role, content }) => {
    const [part] = boundedContent([readBlock(content)]);
    const text = part?.type === "text" ? part.text : `[An image of the type ${part?.mimeType}]`;
    return isDialogue ? `${role === "assistant" ? "Assistant" : "User"}: ${text}` : text;
  });
  return parts.join("\n\n");
}

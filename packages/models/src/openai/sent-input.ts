import type { ImageContent, TextContent, ToolResultMessage, UserMessage } from "../types/message.ts";
import type { WireContent, WireImage, WireMessage, WireText } from "./wire-message.ts";

type Content = readonly (TextContent | ImageContent)[];

/** What the user said. Servers refuse a message that says nothing. */
export function userMessage({ content }: UserMessage): WireMessage {
  return { role: "user", content: withImages(content) || "(empty)" };
}

/** The answer to a call; without a result the call has run, or not: nobody knows. Its images go elsewhere. */
export function toolMessage(id: string, result: ToolResultMessage | undefined): WireMessage {
  return { role: "tool", tool_call_id: id, content: resultText(result) };
}

/** The answer to a call, its images with it. */
export function toolMessageWithImages(id: string, result: ToolResultMessage | undefined): WireMessage {
  const images = imagesOf(result);
  if (images.length === 0) return toolMessage(id, result);
  return { role: "tool", tool_call_id: id, content: [wireText(resultText(result)), ...images] };
}

/** The images of results in a message of their own, each result's with its tool; undefined where there are none. */
export function imagesMessage(results: readonly (ToolResultMessage | undefined)[]): WireMessage | undefined {
  const content = results.flatMap((result) => {
    const images = imagesOf(result);
    return images.length === 0 ? [] : [wireText(`From the tool ${result?.toolName}:`), ...images];
  });
  return content.length === 0 ? undefined : { role: "user", content };
}

/** This protocol has no mark for a failed tool, so the text says it. */
function resultText(result: ToolResultMessage | undefined): string {
  if (result === undefined) return "Error: interrupted, outcome unknown";
  const text = textOf(result.content);
  if (result.isError) return /^error/i.test(text) ? text : `Error: ${text || "failed without a message"}`;
  return text || (imagesOf(result).length > 0 ? "(an image)" : "(no output)");
}

function withImages(content: Content): WireContent {
  const images = content.some(({ type }) => type === "image");
  return images ? content.filter(saysSomething).map(wireBlock) : textOf(content);
}

const saysSomething = (block: TextContent | ImageContent): boolean =>
  block.type === "image" || block.text.trim() !== "";

/** One text: some servers take no list. */
function textOf(content: Content): string {
  return content.flatMap((block) => (block.type === "text" && saysSomething(block) ? [block.text] : [])).join("\n");
}

function imagesOf(result: ToolResultMessage | undefined): readonly WireImage[] {
  return (result?.content ?? []).flatMap((block) => (block.type === "image" ? [wireImage(block)] : []));
}

function wireBlock(block: TextContent | ImageContent): WireText | WireImage {
  return block.type === "text" ? wireText(block.text) : wireImage(block);
}

const wireText = (text: string): WireText => ({ type: "text", text });

const wireImage = ({ data, mimeType }: ImageContent): WireImage => ({
  type: "image_url",
  image_url: { url: `data:${mimeType};base64,${data}` },
});

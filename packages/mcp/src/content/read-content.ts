import type { ImageContent, TextContent } from "@mdx-ai/models";
import type { ContentBlock, ReadResourceResult } from "@modelcontextprotocol/client";

/** Image types that models accept. */
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

type ReadContent = TextContent | ImageContent;

/** Converts a content block of the protocol for a model. Anything but text and images becomes a text that describes it. */
export function readBlock(block: ContentBlock): ReadContent {
  switch (block.type) {
    case "text":
      return textContent(block.text);
    case "image":
      return imageContent(block.data, block.mimeType, "Image");
    case "audio":
      return textContent(`[Audio, ${typeAndSize(block.mimeType, block.data)}, left out]`);
    case "resource_link":
      return textContent(linkText(block));
    case "resource":
      return readResource(block.resource);
  }
}

type ResourceContents = ReadResourceResult["contents"][number];

/** Converts the contents of a resource for a model. */
export function readResource(resource: ResourceContents): ReadContent {
  const { uri, mimeType } = resource;
  if ("text" in resource) return textContent(`[Resource ${uri}]\n${resource.text}`);
  return imageContent(resource.blob, mimeType ?? "application/octet-stream", `Resource ${uri}`);
}

export const textContent = (text: string): TextContent => ({ type: "text", text });

function imageContent(data: string, mimeType: string, title: string): ReadContent {
  if (IMAGES.has(mimeType)) return { type: "image", data, mimeType };
  return textContent(`[${title}, ${typeAndSize(mimeType, data)}, left out]`);
}

interface Link {
  readonly uri: string;
  readonly name: string;
  readonly mimeType?: string | undefined;
  readonly description?: string | undefined;
}

function linkText({ uri, name, mimeType, description }: Link): string {
  const type = mimeType === undefined ? "" : ` (${mimeType})`;
  return `[Link to the resource ${name}: ${uri}${type}]${description === undefined ? "" : ` ${description}`}`;
}

/** The type and size of base64 data. */
function typeAndSize(mimeType: string, base64: string): string {
  const bytes = Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
  return `${mimeType}, ${bytes.toLocaleString("en")} bytes`;
}

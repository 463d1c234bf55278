import type { ImageContent, TextContent } from "@mdx-ai/models";
import type { ContentBlock, ReadResourceResult } from "@modelcontextprotocol/client";

/** The types of images that models take. */
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

type ReadContent = TextContent | ImageContent;

/** What a model gets of a content block of the protocol: what is neither text nor an image becomes a text that describes it. */
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

/** What a model gets of the contents of a resource. */
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

/** The type and the size of what is in base64. */
function typeAndSize(mimeType: string, base64: string): string {
  const bytes = Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
  return `${mimeType}, ${bytes.toLocaleString("en")} bytes`;
}

import { fileURLToPath } from "node:url";
import type { ContentBlock, EmbeddedResource } from "@agentclientprotocol/sdk";
import { attempt } from "@mdx-ai/base";
import { attachedBlock } from "@mdx-ai/directory/views/attached-block";
import type { ImageContent } from "@mdx-ai/models";
import { givenImage } from "../images/given-image.ts";
import { invalidParams } from "./acp-errors.ts";

/** What the user of an editor sends. */
export interface PromptInput {
  readonly text: string;
  readonly images: readonly ImageContent[];
}

/**
 * The text and the images of a prompt. Text comes first as it is, so that a command stays one; a linked file is named by its path, and an
 * attached one follows as a block that its content cannot close. Throws a `RequestError` if it
 * is empty, and for audio, which models here do not take.
 */
export function promptInput(blocks: readonly ContentBlock[]): PromptInput {
  const said: string[] = [];
  const attached: string[] = [];
  const images: ImageContent[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        said.push(block.text);
        break;
      case "resource_link":
        said.push(`[${block.name}](${placeOf(block.uri)})`);
        break;
      case "image":
        images.push(imageOf(block.data, block.mimeType));
        break;
      case "resource":
        addResource(block, attached, images);
        break;
      case "audio":
        throw invalidParams("this agent takes no audio; promptCapabilities.audio is false");
    }
  }
  const text = [said.join(""), ...attached].filter((part) => part !== "").join("\n\n");
  if (text.trim() === "" && images.length === 0) throw invalidParams("the prompt is empty");
  return { text, images };
}

function imageOf(data: string, mimeType: string): ImageContent {
  const image = givenImage(data, mimeType);
  if (image === undefined) throw invalidParams("an image needs data in Base64 and a type such as image/png");
  return image;
}

function addResource({ resource }: EmbeddedResource, attached: string[], images: ImageContent[]): void {
  const { uri, mimeType } = resource;
  const attributes = ` uri=${JSON.stringify(placeOf(uri))}`;
  if ("text" in resource) attached.push(attachedBlock("attached_resource", attributes, resource.text));
  else if (mimeType?.startsWith("image/")) images.push(imageOf(resource.blob, mimeType));
  else attached.push(attachedBlock("attached_resource", attributes, "[not attached: it is not text]"));
}

/** The path of a file, which tools take; any other address as it is. */
const placeOf = (uri: string): string =>
  uri.startsWith("file:") ? (attempt(() => fileURLToPath(uri.replace(/#.*$/s, ""))) ?? uri) : uri;

import { isRecord, type UnknownRecord } from "@mdx-ai/base";
import type { ImageContent } from "@mdx-ai/models";
import type { SaidMessage } from "@mdx-ai/sessions";
import { ProblemError } from "../problem.ts";
import type { Asked } from "./conversations.ts";

/**
 * The conversation of a list of messages, whose last one is the prompt. Instructions become what the user said first, since the agent has
 * its own system prompt; calls and results of tools are left out. Throws `ProblemError`.
 */
export function askedOf(messages: readonly unknown[]): Asked {
  const last = messages.flatMap((message) => (isRecord(message) ? saidOf(message) : [])).at(-1);
  if (last?.role !== "user") throw mistake("the last message needs the role user");
  return { said: saidIn(messages), text: last.content, images: last.images };
}

/** What was said in messages, with a line in place of each image. Throws `ProblemError`. */
export const saidIn = (messages: readonly unknown[]): readonly SaidMessage[] =>
  messages
    .flatMap((message) => (isRecord(message) ? saidOf(message) : []))
    .map(({ role, content, images }) => ({
      role,
      content: [
        content,
        ...images.map(({ mimeType }) => `[An image (${mimeType}) of an earlier message was left out.]`),
      ]
        .filter((line) => line !== "")
        .join("\n"),
    }));

interface Said extends SaidMessage {
  readonly images: readonly ImageContent[];
}

function saidOf({ role, content, type }: UnknownRecord): readonly Said[] {
  if (type !== undefined && type !== "message") return [];
  const text = textOf(content);
  const images = Array.isArray(content) ? content.flatMap(imageOf) : [];
  switch (role) {
    case "user":
    case "system":
    case "developer":
      return text === "" && images.length === 0 ? [] : [{ role: "user", content: text, images }];
    case "assistant":
      return text === "" ? [] : [{ role: "assistant", content: text, images: [] }];
    case "tool":
    case "function":
      return [];
    default:
      throw mistake(`unexpected role ${JSON.stringify(role)}`);
  }
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((part: unknown) => (isRecord(part) && typeof part["text"] === "string" ? [part["text"]] : []))
    .join("\n");
}

/** The image of a part: `image_url` of chat completions, or `input_image` of responses. */
function imageOf(part: unknown): readonly ImageContent[] {
  if (!isRecord(part) || part["image_url"] === undefined) return [];
  const given = isRecord(part["image_url"]) ? part["image_url"]["url"] : part["image_url"];
  const [, mimeType, data] = /^data:(image\/[\w.+-]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(String(given)) ?? [];
  if (mimeType === undefined || data === undefined)
    throw mistake("an image needs a URL such as data:image/png;base64,…");
  return [{ type: "image", data, mimeType }];
}

/** A request that this API does not take. */
export const mistake = (detail: string): ProblemError =>
  new ProblemError({ status: 400, code: "invalid_request", detail });

import type { Message, Part } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError } from "@a2a-js/sdk/errors";
import { isJsonObject, type JsonObject } from "@mdx-ai/base";
import type { AnswerWords } from "@mdx-ai/loop";
import type { ImageContent } from "@mdx-ai/models";

/** What another agent says in a message. */
export interface MessageInput {
  readonly text: string;
  readonly images: readonly ImageContent[];
  /** The last part of data. */
  readonly data?: JsonObject;
}

/** Reads a message. Files of text are quoted, and addresses named. Throws `ContentTypeNotSupportedError`. */
export function messageInput({ parts }: Pick<Message, "parts">): MessageInput {
  const images = parts.flatMap(imageOf);
  const text = parts.flatMap(textOf).join("\n\n");
  const data = parts.flatMap(({ content }) =>
    content?.$case === "data" && isJsonObject(content.value) ? [content.value] : [],
  );
  const last = data.at(-1);
  return { text, images, ...(last !== undefined && { data: last }) };
}

/** A message as an answer: a word, `name=value` lines, or data with the values or with a word in `answer`. */
export function answerWords({ text, data }: MessageInput): AnswerWords {
  if (data === undefined) return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  const { answer, ...others } = data;
  return typeof answer === "string" && Object.keys(others).length === 0 ? answer : data;
}

const isImage = ({ content, mediaType }: Part): boolean => content?.$case === "raw" && /^image\//.test(mediaType);

const imageOf = (part: Part): readonly ImageContent[] =>
  part.content?.$case === "raw" && isImage(part)
    ? [{ type: "image", data: Buffer.from(part.content.value).toString("base64"), mimeType: part.mediaType }]
    : [];

function textOf(part: Part): readonly string[] {
  const { content, filename, mediaType } = part;
  switch (content?.$case) {
    case "text":
      return [content.value];
    case "data":
      return [JSON.stringify(content.value)];
    case "url":
      return [`File ${filename}: ${content.value}`];
    case "raw":
      if (isImage(part)) return [];
      if (!/^text\/|json\b|xml\b/.test(mediaType))
        throw new ContentTypeNotSupportedError(`${mediaType || "a file"} is no text and no image`);
      return [`File ${filename}:\n${Buffer.from(content.value).toString("utf8")}`];
    default:
      return [];
  }
}

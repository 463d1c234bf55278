import { isRecord, listOf, recordOf, textOf } from "@mdx-ai/base";

/** A part of a message's content. */
export interface ContentPart {
  readonly type: "text" | "thinking";
  readonly text: string;
}

/** The content of a message: a string, or a list of texts and thinking (Mistral and others). */
export function contentParts(content: unknown): readonly ContentPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return (isRecord(content) ? [content] : listOf(content)).flatMap(partsOf);
}

function partsOf(part: unknown): readonly ContentPart[] {
  if (typeof part === "string") return [{ type: "text", text: part }];
  const { type, text, thinking, reasoning } = recordOf(part);
  switch (type) {
    case "text":
    case "output_text":
    case undefined:
      return [{ type: "text", text: textOf(text) }];
    case "thinking":
    case "reasoning":
      return thoughts(thinking ?? reasoning ?? text).map((thought) => ({ type: "thinking", text: thought }));
    default:
      return [];
  }
}

/** Mistral's thinking is a list of texts. */
const thoughts = (value: unknown): readonly string[] =>
  typeof value === "string" ? [value] : listOf(value).map((thought) => textOf(recordOf(thought)["text"]));

import type { AssistantContent, AssistantMessage, ImageContent, Message, TextContent } from "@mdx-ai/models";
import type { SessionSummary } from "@mdx-ai/sessions";
import { jsonText, plainLine, plainText } from "../text.ts";
import { counted, isoTime } from "./figures.ts";
import { usageText } from "./prompt-lines.ts";

/** A part of a passage, without control sequences. */
export type Part =
  | { readonly type: "text" | "thinking" | "failure"; readonly text: string }
  /** A tool's arguments or result; `label` is one line or empty. */
  | { readonly type: "code"; readonly label: string; readonly text: string }
  | { readonly type: "image"; readonly mimeType: string; readonly data: string };

/** A message as text. */
export interface Passage {
  readonly side: "user" | "assistant" | "tool";
  /** The speaker, on one line. */
  readonly speaker: string;
  /** ISO 8601, or "?". */
  readonly time: string;
  readonly parts: readonly Part[];
}

/** A transcript as text, without control sequences. */
export const passages = (messages: readonly Message[]): readonly Passage[] => messages.map(passage);

function passage(message: Message): Passage {
  const time = isoTime(message.timestamp);
  switch (message.role) {
    case "user":
      return { side: "user", speaker: "You", time, parts: message.content.map(contentPart) };
    case "assistant": {
      const speaker = plainLine(`${message.provider}/${message.model}`);
      return {
        side: "assistant",
        speaker,
        time,
        parts: [...message.content.flatMap(answerPart), ...failurePart(message)],
      };
    }
    case "toolResult": {
      const speaker = `${plainLine(message.toolName)}${message.isError ? " failed" : ""}`;
      return { side: "tool", speaker, time, parts: message.content.map(resultPart) };
    }
  }
}

const contentPart = (block: TextContent | ImageContent): Part =>
  block.type === "text" ? { type: "text", text: plainText(block.text) } : imagePart(block);

const resultPart = (block: TextContent | ImageContent): Part =>
  block.type === "text" ? { type: "code", label: "", text: plainText(block.text) } : imagePart(block);

const imagePart = ({ mimeType, data }: ImageContent): Part => ({ type: "image", mimeType: plainLine(mimeType), data });

function answerPart(block: AssistantContent): readonly Part[] {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: plainText(block.text) }];
    case "thinking":
      // Encrypted thinking has no text.
      return block.thinking === "" ? [] : [{ type: "thinking", text: plainText(block.thinking) }];
    case "toolCall": {
      const text = block.malformed === undefined ? jsonText(block.arguments, 2) : plainText(block.malformed);
      return [{ type: "code", label: `calls ${plainLine(block.name)}`, text }];
    }
  }
}

function failurePart({ stopReason, errorMessage }: AssistantMessage): readonly Part[] {
  if (errorMessage !== undefined && errorMessage !== stopReason)
    return [{ type: "failure", text: plainText(`${stopReason}: ${errorMessage}`) }];
  return stopReason === "stop" || stopReason === "toolUse" ? [] : [{ type: "failure", text: stopReason }];
}

/** A session's figures: "2 prompts, 3 turns, 1,234 tokens in, 56 out, $0.01, its last prompt was interrupted". */
export function figuresText({ prompts, turns, cost, damagedLines, ...summary }: SessionSummary): string {
  const figures = [counted(prompts, "prompt"), counted(turns, "turn"), usageText(cost)];
  const damage = damagedLines === undefined ? undefined : `without ${counted(damagedLines, "damaged line")}`;
  return [...figures, unfinishedText(summary), damage].filter((one) => one !== undefined).join(", ");
}

function unfinishedText({ isUnfinished, holder }: Pick<SessionSummary, "isUnfinished" | "holder">): string | undefined {
  if (!isUnfinished) return undefined;
  return holder === undefined
    ? "its last prompt was interrupted"
    : `its last prompt is running in ${plainLine(holder)}`;
}

import { sha256 } from "@mdx-ai/parser/fingerprint";
import type { AgentChange, ToolDifference } from "@mdx-ai/runtime";
import { contentText, plainLine } from "../text/plain-text.ts";
import { type DifferenceLine, textDifference } from "./text-difference.ts";

/** `the agent changed since prompt 2: section "Rules", parameters of tool weather`: foreign text, made plain. */
export const changeText = ({ prompt, parts }: AgentChange): string =>
  `the agent changed since prompt ${prompt}: ${parts.map(plainLine).join(", ")}`;

type Answer = ToolDifference["recorded"];

/** How a result differs from the recorded one: lines of both ("-" as recorded, "+" as it is now). */
export async function differenceLines({ recorded, now }: ToolDifference): Promise<readonly DifferenceLine[]> {
  const lines = await textDifference(textOf(recorded), textOf(now));
  if (recorded.isError === now.isError) return lines;
  const errors = { "-": recorded.isError, "+": now.isError } as const;
  return [
    ...(["-", "+"] as const).map((mark) => ({ mark, text: errors[mark] ? "(an error)" : "(no error)" })),
    ...lines,
  ];
}

/** An image is shown as a short hash, so that a difference can be seen. */
const textOf = ({ content }: Answer): string =>
  content.some(({ type }) => type === "image")
    ? content
        .map((block) => (block.type === "text" ? block.text : `[${block.mimeType} ${shortHash(block.data)}]`))
        .join("\n")
    : contentText(content);

const shortHash = (data: string): string => sha256(data).slice(0, 12);

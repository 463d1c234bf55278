import type { ToolResult } from "../types/tool.ts";
import { headOf, OUTPUT_LIMIT } from "./cut-text.ts";

/** A result whose text may have been cut where it came from; `dropped` characters are missing at its end. */
export type BoundedResult = ToolResult & { readonly dropped?: number };

type Content = ToolResult["content"][number];

/** Base64 characters of images that one result may hold. */
const IMAGE_LIMIT = 20_000_000;

/** Cuts the text of a result, all its blocks together, to `OUTPUT_LIMIT` and counts what it dropped; images over their limit become a line of text. */
export function boundResult(result: BoundedResult): BoundedResult {
  let room = OUTPUT_LIMIT;
  let dropped = result.dropped ?? 0;
  const content: Content[] = [];
  for (const block of boundImages(result.content)) {
    if (block.type === "image") {
      content.push(block);
      continue;
    }
    const text = headOf(block.text, room);
    room = text.length < block.text.length ? 0 : room - text.length;
    dropped += block.text.length - text.length;
    if (text !== "" || block.text === "") content.push(text === block.text ? block : { type: "text", text });
  }
  return dropped === 0 ? { ...result, content } : { ...result, content, dropped };
}

/** Tells at the end of the text how many characters are missing. */
export function tellDropped({ dropped, ...result }: BoundedResult): ToolResult {
  if (!dropped) return result;
  const notice = `[${dropped} characters dropped: a tool may answer with ${OUTPUT_LIMIT} characters at most]`;
  const last = result.content.findLastIndex((block) => block.type === "text");
  const content = result.content.map((block, index) =>
    index === last && block.type === "text" ? { ...block, text: `${block.text}\n${notice}` } : block,
  );
  return { ...result, content: last === -1 ? [...content, { type: "text", text: notice }] : content };
}

function boundImages(content: readonly Content[]): Content[] {
  let room = IMAGE_LIMIT;
  return content.map((block) => {
    if (block.type === "text") return block;
    room -= block.data.length;
    if (room >= 0) return block;
    return { type: "text", text: `[an image of ${block.data.length} base64 characters was dropped: too large]` };
  });
}

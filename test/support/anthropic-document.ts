import type { StreamEvent } from "./anthropic-replies.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A block of an answer with all its deltas; `json` is the text of an input so far. */
interface Block extends Fields {
  readonly json?: string;
}

/** The one JSON document that the API sends in place of events where no stream is asked for; half of it where they break off. */
export function documentOf(events: readonly StreamEvent[]): string {
  const start = events.find(({ type }) => type === "message_start");
  const end = events.findLast(({ type }) => type === "message_delta");
  const message = fieldsOf(start?.["message"]);
  const usage = { ...fieldsOf(message["usage"]), ...fieldsOf(end?.["usage"]) };
  const text = JSON.stringify({ ...message, content: blocksOf(events), ...fieldsOf(end?.["delta"]), usage });
  return events.some(({ type }) => type === "message_stop") ? text : text.slice(0, text.length / 2);
}

/** The blocks of an answer as they are when all their deltas have come. */
export function blocksOf(events: readonly StreamEvent[]): readonly Fields[] {
  const blocks: Block[] = [];
  for (const event of events) {
    const place = Number(event["index"]);
    if (event.type === "content_block_start") blocks[place] = fieldsOf(event["content_block"]);
    if (event.type === "content_block_delta") blocks[place] = grown(blocks[place] ?? {}, fieldsOf(event["delta"]));
  }
  // An index that no event named is a gap, which the filter leaves out.
  return blocks.filter(() => true).map(({ json, ...block }) => (json ? { ...block, input: inputOf(json) } : block));
}

/** An input that was cut off is an empty one. */
function inputOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

function grown(block: Block, { type, text, thinking, signature, partial_json: json }: Fields): Block {
  switch (type) {
    case "text_delta":
      return { ...block, text: `${block["text"]}${text}` };
    case "thinking_delta":
      return { ...block, thinking: `${block["thinking"]}${thinking}` };
    case "signature_delta":
      return { ...block, signature: `${block["signature"]}${signature}` };
    case "input_json_delta":
      return { ...block, json: `${block.json ?? ""}${json}` };
    default:
      return block;
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

import type { ReadTool } from "./contestants.ts";
import type { Reply } from "./scenarios.ts";

/** One answer of the Anthropic Messages API as a stream of server-sent events, in the pieces to be written. */
export interface Answer {
  readonly head: string;
  readonly delta: string;
  readonly deltas: number;
  readonly tail: string;
}

const event = (data: { readonly type: string; readonly [key: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const usage = (outputTokens: number): object => ({
  input_tokens: 100,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: outputTokens,
});

export const READ_FILE: ReadTool = { name: "read_file", parameter: "path" };

/** `id` numbers the message and its tool call. */
export function answer(reply: Reply, id: number, readTool: ReadTool = READ_FILE): Answer {
  const count = reply.kind === "deltas" ? reply.count : 1;
  const tools: Partial<Record<Reply["kind"], string>> = { read: readTool.name, bash: "bash" };
  const tool = tools[reply.kind];
  const block =
    tool === undefined ? { type: "text", text: "" } : { type: "tool_use", id: `toolu_${id}`, name: tool, input: {} };
  const stopReason = tool === undefined ? "end_turn" : "tool_use";
  return {
    head:
      messageStart(id) +
      event({ type: "content_block_start", index: 0, content_block: block }) +
      event({ type: "ping" }),
    delta: event({ type: "content_block_delta", index: 0, delta: delta(reply, readTool) }),
    deltas: count,
    tail:
      event({ type: "content_block_stop", index: 0 }) +
      event({
        type: "message_delta",
        delta: { stop_reason: stopReason, stop_sequence: null },
        usage: { output_tokens: count },
      }) +
      event({ type: "message_stop" }),
  };
}

function messageStart(id: number): string {
  const message = {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: usage(1),
  };
  return event({ type: "message_start", message });
}

function delta(reply: Reply, { parameter }: ReadTool): object {
  switch (reply.kind) {
    case "read":
      return { type: "input_json_delta", partial_json: JSON.stringify({ [parameter]: reply.path }) };
    case "bash":
      return { type: "input_json_delta", partial_json: JSON.stringify({ command: reply.command }) };
    case "text":
      return { type: "text_delta", text: "Done." };
    case "deltas":
      return { type: "text_delta", text: "lorem " };
  }
}

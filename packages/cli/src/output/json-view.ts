import { plainLine, safeJson } from "@mdx-ai/directory/text";
import type { AgentEvent } from "@mdx-ai/runtime";
import type { EventView } from "./event-view.ts";
import type { KeyCover } from "./key-cover.ts";
import type { Output } from "./output.ts";

/** Where events go, and what of them does not. */
export interface JsonViewOptions {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly keys: KeyCover;
}

/** Every event as one line of JSON on standard output; an update has only what is new, not the message again. */
export const createJsonView = ({ stdout, stderr, keys }: JsonViewOptions): EventView => ({
  show: (event) => stdout.write(`${safeJson(keys.json(withoutCopies(event)))}\n`),
  note: (message) => stderr.write(`mdx-ai: ${plainLine(message)}\n`),
  tellAnswer() {},
  tellSpending() {},
  end() {},
});

function withoutCopies(event: AgentEvent): unknown {
  if (event.type !== "message_update") return event;
  const { partial: _copy, ...assistantMessageEvent } = event.assistantMessageEvent;
  const { type, step, index } = event;
  return { type, step, index, assistantMessageEvent };
}

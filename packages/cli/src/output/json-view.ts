import type { AgentEvent } from "@mdx-ai/runtime";
import { plainLine } from "../plain-text.ts";
import type { EventView } from "./event-view.ts";
import { jsonText } from "./json-text.ts";
import type { Output } from "./output.ts";

/** Every event as one line of JSON on standard output; an update tells what is new and not the message again. */
export const createJsonView = (stdout: Output, stderr: Output): EventView => ({
  show: (event) => stdout.write(`${jsonText(withoutCopies(event))}\n`),
  note: (message) => stderr.write(`mdx-ai: ${plainLine(message)}\n`),
  tellAnswer() {},
  tellSpending() {},
  end() {},
});

function withoutCopies(event: AgentEvent): unknown {
  if (event.type !== "message_update") return event;
  const { partial: _copy, ...assistantMessageEvent } = event.assistantMessageEvent;
  return { type: event.type, assistantMessageEvent };
}

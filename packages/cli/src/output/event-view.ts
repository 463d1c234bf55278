import { plainLine, safeJson } from "@mdx-ai/directory/text";
import type { AgentEvent } from "@mdx-ai/runtime";
import type { KeyCover } from "./key-cover.ts";
import type { Output } from "./output.ts";

/** Shows the events of a prompt. */
export interface EventView {
  /** Never throws. */
  show(event: AgentEvent): void;
  /** Writes a message to standard error. */
  note(message: string): void;
  /** Shows the answer to a prompt that no user sent. Does nothing if the events show it already. */
  showAnswer(text: string): void;
  /** Shows the usage and cost of the prompt. Does nothing if the events show it already. */
  showUsage(line: string): void;
  /** Removes what is shown only during the run; may be called twice. */
  end(): void;
}

/** The output of events, and what it omits. */
export interface JsonViewOptions {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly keys: KeyCover;
}

/** Every event as one line of JSON on standard output; an update contains only the new part, not the whole message. */
export const createJsonView = ({ stdout, stderr, keys }: JsonViewOptions): EventView => ({
  show: (event) => stdout.write(`${safeJson(keys.json(withoutCopies(event)))}\n`),
  note: (message) => stderr.write(`mdx-ai: ${plainLine(message)}\n`),
  showAnswer() {},
  showUsage() {},
  end() {},
});

function withoutCopies(event: AgentEvent): unknown {
  if (event.type !== "message_update") return event;
  const { partial: _copy, ...assistantMessageEvent } = event.assistantMessageEvent;
  const { type, step, index } = event;
  return { type, step, index, assistantMessageEvent };
}

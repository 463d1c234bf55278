import { plainLine } from "@mdx-ai/directory/text";
import { callText } from "@mdx-ai/directory/views/call-text";
import type { AgentEvent } from "@mdx-ai/loop";

/** Characters of an answer after which the client sees progress. */
const STRIDE = 200;

/** What a client sees of a prompt while it runs: each call of a tool, and the text while it is written. */
export class ProgressSteps {
  /** What was written since the last step. */
  #text = "";

  /** The step that an event is, as one line; undefined if it is none. */
  of(event: AgentEvent): string | undefined {
    if (event.type === "tool_execution_start") {
      const { verb, lines } = callText(event);
      return plainLine(`${verb} ${lines[0] ?? ""}`).slice(0, STRIDE);
    }
    if (event.type === "message_end" && event.message.role === "assistant") return this.#taken();
    if (event.type !== "message_update") return undefined;
    const { assistantMessageEvent: update } = event;
    if (update.type !== "text_delta" && update.type !== "thinking_delta") return undefined;
    this.#text += update.delta;
    return this.#text.length < STRIDE ? undefined : this.#taken();
  }

  #taken(): string | undefined {
    const line = plainLine(this.#text).trim().slice(-STRIDE);
    this.#text = "";
    return line === "" ? undefined : line;
  }
}

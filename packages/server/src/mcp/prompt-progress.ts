import { plainLine } from "@mdx-ai/directory/text";
import { callText } from "@mdx-ai/directory/views/call-text";
import type { AgentEvent } from "@mdx-ai/loop";
import type { ServerContext } from "@modelcontextprotocol/server";

/** Characters of an answer after which the client sees progress. */
const STRIDE = 200;

/** The most characters of a message. */
const MAX_LENGTH = 200;

/** Reports progress to a client that wants it: each call of a tool, and the answer while it is written. The function never rejects. */
export function progressOf({
  _meta,
  notify,
}: Pick<ServerContext["mcpReq"], "_meta" | "notify">): (event: AgentEvent) => Promise<void> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return async () => {};
  const steps = new ProgressSteps();
  let progress = 0;
  return async (event) => {
    const text = steps.of(event);
    if (text === undefined) return;
    progress += 1;
    const message = plainLine(text).slice(-MAX_LENGTH);
    await notify({ method: "notifications/progress", params: { progressToken, progress, message } }).catch(() => {});
  };
}

class ProgressSteps {
  /** What was written since the last step. */
  #text = "";

  /** The step that an event is; undefined if it is none. */
  of(event: AgentEvent): string | undefined {
    if (event.type === "tool_execution_start") {
      const { verb, lines } = callText(event);
      return `${verb} ${lines[0] ?? ""}`;
    }
    if (event.type === "message_end" && event.message.role === "assistant") return this.#taken();
    if (event.type !== "message_update") return undefined;
    const { assistantMessageEvent: update } = event;
    if (update.type !== "text_delta" && update.type !== "thinking_delta") return undefined;
    this.#text += update.delta;
    return this.#text.length < STRIDE ? undefined : this.#taken();
  }

  #taken(): string | undefined {
    const text = this.#text;
    this.#text = "";
    return text.trim() === "" ? undefined : text;
  }
}

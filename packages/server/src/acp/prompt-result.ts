import type { PromptResponse } from "@agentclientprotocol/sdk";
import { deniedText, limitText, type ReachedLimit } from "@mdx-ai/directory/views/prompt-lines";
import { type AgentEvent, emptyAnswerText, type PromptOutcome } from "@mdx-ai/loop";
import type { AssistantMessage } from "@mdx-ai/models";
import { authRequired, failed } from "./acp-errors.ts";

/** Collects how a prompt ends from its events; prompts that are finished before it do not count. */
export class PromptResult {
  #message: AssistantMessage | undefined;
  #limit: ReachedLimit | undefined;
  #outcome: PromptOutcome | undefined;
  #denied: string | undefined;

  add(event: AgentEvent): void {
    switch (event.type) {
      case "agent_start":
        this.#message = undefined;
        this.#limit = undefined;
        this.#outcome = undefined;
        break;
      case "message_end":
        if (event.message.role === "assistant") this.#message = event.message;
        break;
      case "limit_reached":
        this.#limit = event;
        break;
      case "agent_end":
        this.#outcome = event.outcome;
        this.#denied = event.denied;
        break;
      default:
    }
  }

  /** The note for the user about a prompt that a limit ended; undefined for any other. */
  get note(): string | undefined {
    if (this.#outcome !== "limit") return undefined;
    return this.#limit === undefined ? "stopped at a limit" : limitText(this.#limit);
  }

  /** The response to the client's request. A prompt without events was cancelled before it began. Throws a `RequestError` if the model failed. */
  response(): PromptResponse {
    switch (this.#outcome) {
      case undefined:
      case "aborted":
        return { stopReason: "cancelled" };
      case "limit":
        return { stopReason: "max_turn_requests" };
      case "error":
        if (this.#denied !== undefined) throw failed(deniedText(this.#denied));
        throw failure(this.#message);
      case "done":
        return { stopReason: reasonOf(this.#message) };
    }
  }
}

function reasonOf(message: AssistantMessage | undefined): PromptResponse["stopReason"] {
  switch (message?.stopReason) {
    case "length":
    case "contextExceeded":
      return "max_tokens";
    case "refusal":
      return "refusal";
    default:
      return "end_turn";
  }
}

/** A key that the vendor rejects is the user's to fix outside of the editor. */
function failure(message: AssistantMessage | undefined) {
  const text = message?.errorMessage ?? (message && emptyAnswerText(message)) ?? "the model failed";
  return message?.failure?.status === 401 ? authRequired(text) : failed(text);
}

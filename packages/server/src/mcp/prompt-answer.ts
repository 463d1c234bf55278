import { deniedText, limitText, type ReachedLimit } from "@mdx-ai/directory/views/prompt-lines";
import { type AgentEvent, contentText, type Question } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";

/** How a prompt ends, or why it waits. */
export type PromptEnd = { readonly type: "question"; readonly question: Question } | EndedPrompt;

export interface EndedPrompt {
  readonly type: "end";
  /** The answer, or what went wrong. */
  readonly text: string;
  readonly isFailed: boolean;
}

/** Collects how a prompt ends from its events. */
export class PromptAnswer {
  #text = "";
  #problem: string | undefined;
  #limit: ReachedLimit | undefined;
  #end: PromptEnd = { type: "end", text: "the prompt was cancelled", isFailed: true };

  add(event: AgentEvent): void {
    switch (event.type) {
      case "message_end":
        if (event.message.role !== "assistant") break;
        this.#text = contentText(event.message.content);
        this.#problem = event.message.errorMessage;
        break;
      case "limit_reached":
        this.#limit = event;
        break;
      case "question_asked":
        this.#end = { type: "question", question: event.question };
        break;
      case "agent_end":
        this.#end = this.#ended(event);
        break;
      default:
    }
  }

  /** A prompt without an end was cancelled. */
  get end(): PromptEnd {
    return this.#end;
  }

  #ended({ outcome, denied }: Extract<AgentEvent, { type: "agent_end" }>): PromptEnd {
    switch (outcome) {
      case "done":
        return { type: "end", text: this.#text, isFailed: false };
      case "limit": {
        const note = this.#limit === undefined ? "stopped at a limit" : limitText(this.#limit);
        return { type: "end", text: [this.#text, note].filter((part) => part !== "").join("\n\n"), isFailed: true };
      }
      case "error":
        if (denied !== undefined) return { type: "end", text: deniedText(denied), isFailed: true };
        return { type: "end", text: this.#problem ?? "the model failed", isFailed: true };
      case "aborted":
        return { type: "end", text: "the prompt was cancelled", isFailed: true };
    }
  }
}

/** The last answer of a transcript. */
export function finalAnswer(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === "assistant");
  return last?.role === "assistant" ? contentText(last.content) : "";
}

import { deniedText } from "@mdx-ai/directory/views/prompt-lines";
import { type AgentEvent, addCost, contentText, noCost, type PromptOutcome, type Question } from "@mdx-ai/loop";
import type { ImageContent, Usage } from "@mdx-ai/models";
import type { Session } from "@mdx-ai/runtime";
import { leavable } from "@mdx-ai/sessions";
import { promptEvents } from "../prompt-events.ts";

/** A part of an answer, as it comes. */
export type Piece =
  /** The first one. */
  | {
      readonly type: "begin";
      /** The number of the prompt in its session. */
      readonly prompt: number;
    }
  | { readonly type: "text"; readonly text: string }
  /** The last one. */
  | {
      readonly type: "end";
      /** "question": the prompt waits for an answer that cannot be given here. */
      readonly outcome: PromptOutcome | "question";
      /** Of all model calls of the prompt. */
      readonly usage: Usage;
      /** Why it failed. */
      readonly problem?: string;
    };

/** An answer that is being given. */
export interface Answering {
  /** Resolves when the prompt is submitted; rejects as `Session.submit` does. */
  readonly begun: Promise<void>;
  /** Ends with one `end`, unless `stop` was called. */
  readonly pieces: AsyncIterable<Piece>;
  /** Cancels the prompt. */
  stop(): void;
}

export interface AskedPrompt {
  readonly text: string;
  readonly images: readonly ImageContent[];
  /** Says how to answer a question. */
  questionText(question: Question): string;
}

/** Submits a prompt and yields its answer: the texts of all its turns. If the reader leaves, the prompt is cancelled. */
export function answerPieces(session: Session, { text, images, questionText }: AskedPrompt): Answering {
  const { begun, events, stop } = promptEvents(session, () => session.submit(text, { images }));
  return { begun, pieces: leavable(piecesOf(events, questionText), stop), stop };
}

async function* piecesOf(
  events: AsyncIterable<AgentEvent>,
  questionText: (question: Question) => string,
): AsyncGenerator<Piece, void, undefined> {
  const answer = new AnswerText();
  for await (const event of events) {
    if (event.type === "agent_start") yield { type: "begin", prompt: Number(event.id?.split(".")[0]) };
    const said = answer.add(event, questionText);
    if (said !== "") yield { type: "text", text: said };
    const end = answer.endOf(event);
    if (end !== undefined) yield end;
  }
}

/** The text of an answer, from the events of its prompt. */
class AnswerText {
  /** The text of the current message so far. */
  #message = "";
  #hasText = false;
  #cost = noCost;
  #problem: string | undefined;

  /** The text that an event adds. */
  add(event: AgentEvent, questionText: (question: Question) => string): string {
    switch (event.type) {
      case "message_start":
        this.#message = "";
        return "";
      case "message_update": {
        const { assistantMessageEvent: update } = event;
        return update.type === "text_delta" ? this.#say(update.delta) : "";
      }
      case "message_end": {
        if (event.message.role !== "assistant") return "";
        this.#cost = addCost(this.#cost, { ...noCost, usage: event.message.usage });
        this.#problem = event.message.errorMessage;
        // A model that does not stream has no deltas.
        const whole = contentText(event.message.content);
        return whole.startsWith(this.#message) ? this.#say(whole.slice(this.#message.length)) : "";
      }
      case "question_asked":
        this.#message = "";
        return this.#say(questionText(event.question));
      default:
        return "";
    }
  }

  /** The end that an event is; undefined if it is none. */
  endOf(event: AgentEvent): Piece | undefined {
    if (event.type === "question_asked") return { type: "end", outcome: "question", usage: this.#cost.usage };
    if (event.type !== "agent_end") return undefined;
    const { outcome, cost, denied } = event;
    const failure = denied === undefined ? (this.#problem ?? "the prompt failed") : deniedText(denied);
    const problem = outcome === "error" ? failure : undefined;
    return { type: "end", outcome, usage: cost.usage, ...(problem !== undefined && { problem }) };
  }

  /** Messages are separated by a blank line. */
  #say(text: string): string {
    if (text === "") return "";
    const border = this.#message === "" && this.#hasText ? "\n\n" : "";
    this.#message += text;
    this.#hasText = true;
    return border + text;
  }
}

import { type AgentEvent, contentText, type PromptOutcome, type Question } from "@mdx-ai/loop";
import type { ImageContent, Usage } from "@mdx-ai/models";
import type { Session } from "@mdx-ai/runtime";

/** A part of an answer, as it comes. */
export type Piece =
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
export function answerPieces(session: Session, prompt: AskedPrompt): Answering {
  const leaving = new AbortController();
  const pieces = piecesOf(session, prompt, leaving.signal);
  return {
    pieces: {
      [Symbol.asyncIterator]: () => ({
        next: () => pieces.next(),
        return: async () => {
          leaving.abort();
          return pieces.return();
        },
      }),
    },
    stop: () => leaving.abort(),
  };
}

async function* piecesOf(
  session: Session,
  { text, images, questionText }: AskedPrompt,
  left: AbortSignal,
): AsyncGenerator<Piece, void, undefined> {
  const events = session.events({ signal: left })[Symbol.asyncIterator]();
  // The first read joins the stream, before the prompt has any event.
  let next = events.next();
  const promptId = await session.submit(text, { images });
  const answer = new AnswerText();
  let isOver = false;
  try {
    let hasBegun = false;
    for (let { done, value } = await next; !done; { done, value } = await next) {
      next = events.next();
      hasBegun ||= value.type === "agent_start" && value.promptId === promptId;
      if (!hasBegun) continue;
      const said = answer.add(value, questionText);
      if (said !== "") yield { type: "text", text: said };
      const end = answer.endOf(value);
      if (end === undefined) continue;
      isOver = true;
      yield end;
      return;
    }
  } finally {
    await events.return?.();
    if (!isOver) await session.cancel(promptId);
  }
}

const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0 };

/** The text of an answer, from the events of its prompt. */
class AnswerText {
  /** The text of the current message so far. */
  #message = "";
  #hasText = false;
  #usage = NO_USAGE;
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
        this.#usage = sum(this.#usage, event.message.usage);
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
    if (event.type === "question_asked") return { type: "end", outcome: "question", usage: this.#usage };
    if (event.type !== "agent_end") return undefined;
    const { outcome, cost } = event;
    const problem = outcome === "error" ? (this.#problem ?? "the prompt failed") : undefined;
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

const sum = (one: Usage, other: Usage): Usage => ({
  input: one.input + other.input,
  output: one.output + other.output,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite: one.cacheWrite + other.cacheWrite,
  thinking: one.thinking + other.thinking,
});

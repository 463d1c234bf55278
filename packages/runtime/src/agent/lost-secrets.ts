import type { AssistantMessage, ToolCall } from "@mdx-ai/models";
import { attemptsOf, readPrompt } from "../history/read-prompt.ts";
import type { JournalLine } from "../journal/journal-line.ts";

/** How a journal marks a secret that it does not keep. */
const MARK = /\[redacted [^\]]+\]/;

/**
 * Calls of answers that come from a journal: their arguments have marks in place of secrets, and must not run with them. A
 * call that the model made in this process may well hold such a text, and runs.
 */
export class LostSecrets {
  readonly #recorded: ReadonlySet<string>;
  readonly #live = new WeakSet<ToolCall>();

  /** Of the lines that an earlier process journaled of the prompt. */
  constructor(recorded: readonly JournalLine[]) {
    const calls = attemptsOf(readPrompt(recorded)).flatMap(({ message }) => callsOf(message));
    this.#recorded = new Set(calls.map(({ id }) => id));
  }

  /** The model has just made these calls. */
  keep(answer: AssistantMessage): void {
    for (const call of callsOf(answer)) this.#live.add(call);
  }

  isLost(call: ToolCall): boolean {
    return this.#recorded.has(call.id) && !this.#live.has(call) && MARK.test(JSON.stringify(call.arguments));
  }
}

const callsOf = ({ content }: AssistantMessage): readonly ToolCall[] =>
  content.flatMap((block) => (block.type === "toolCall" ? [block] : []));

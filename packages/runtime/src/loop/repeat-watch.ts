import type { ToolCall, ToolResultMessage } from "@mdx-ai/models";
import type { ToolOutcome } from "../types/tool-registry.ts";

/** So many identical results in a row, and the model is told. */
const TOLD_AT = 3;

const NOTE = {
  type: "text",
  text: "note: this very call has given this very result three times in a row; do something else, or end",
} as const;

/** What a call gave, and how often in a row up to then. */
interface Streak extends ToolOutcome {
  readonly count: number;
}

/** A call whose result may still be waited for. */
interface Followed {
  readonly call: ToolCall;
  /** Undefined where its result could not be kept. */
  readonly streak: Promise<Streak | undefined>;
}

/** One call that is followed. */
interface FollowedCall {
  /** The outcome, with a note to the model where it is one too many. */
  note(outcome: ToolOutcome): Promise<ToolOutcome>;
  /** The call has ended with this message; undefined where it could not be kept. */
  end(message: ToolResultMessage | undefined): Promise<void>;
}

/** Notices when a model makes the same call over and over and gets the same result. */
export class RepeatWatch {
  #last: Followed | undefined;
  #longest = 0;

  /** The most identical calls with identical results in a row, of those that have ended. */
  get longest(): number {
    return this.#longest;
  }

  /** To be called once for each call, in their order. Calls that differ do not wait for each other. */
  follow(call: ToolCall): FollowedCall {
    const before = this.#last && isSameCall(this.#last.call, call) ? this.#last.streak : undefined;
    const { promise, resolve } = Promise.withResolvers<Streak | undefined>();
    this.#last = { call, streak: promise };
    return {
      note: async (outcome) => {
        const { count } = continued(await before, outcome);
        return count === TOLD_AT ? { ...outcome, content: [...outcome.content, NOTE] } : outcome;
      },
      end: async (message) => {
        const streak = message && continued(await before, withoutNote(message));
        this.#longest = Math.max(this.#longest, streak?.count ?? 0);
        resolve(streak);
      },
    };
  }
}

/** Whether two calls are the same for a model that makes one over and over, to the order of the keys. */
export const isSameCall = (one: ToolCall, other: ToolCall): boolean =>
  one.name === other.name && isSame(one.arguments, other.arguments);

const withoutNote = ({ content, isError }: ToolResultMessage): ToolOutcome => ({
  content: content.filter((block) => block.type !== "text" || block.text !== NOTE.text),
  isError,
});

function continued(before: Streak | undefined, { content, isError }: ToolOutcome): Streak {
  const goesOn = before !== undefined && before.isError === isError && isSame(before.content, content);
  return { content, isError, count: goesOn ? before.count + 1 : 1 };
}

/** Whether two values are the same JSON, to the order of their keys. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

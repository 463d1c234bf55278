import { createInterface } from "node:readline";
import { plainLine } from "@mdx-ai/directory/text";
import type { Output } from "../../output/output.ts";
import type { Choose, Chosen, ListQuestion } from "../list-questions.ts";

/** The lists of commands as numbered lines, one list at a time; the answer is a line with a number. */
export class NumberedLists {
  readonly #say: (lines: readonly string[]) => void;
  #open: { readonly length: number; readonly chosen: PromiseWithResolvers<Chosen | undefined> } | undefined;

  constructor(say: (lines: readonly string[]) => void) {
    this.#say = say;
  }

  /** As `Choose`. A list that is still open is left. */
  readonly choose: Choose = ({ question, choices }) => {
    this.dismiss();
    const chosen = Promise.withResolvers<Chosen | undefined>();
    this.#open = { length: choices.length, chosen };
    const lines = choices.map(({ title, details, remark }, at) =>
      plainLine([`${at + 1}. ${title}`, details, remark].filter((part) => part !== "").join(", ")),
    );
    this.#say([question, ...lines, "Enter a number; an empty line cancels:"]);
    return chosen.promise;
  };

  /** A line was typed. Returns whether it was about a list. */
  typed(line: string): boolean {
    if (this.#open === undefined) return false;
    const text = line.trim();
    const isNumber = /^\d+$/.test(text);
    const index = Number(text) - 1;
    if (isNumber && (index < 0 || index >= this.#open.length)) {
      this.#say([`Enter a number from 1 to ${this.#open.length}; an empty line cancels:`]);
    } else if (isNumber) this.#close({ type: "picked", index });
    else this.#close(text === "" ? undefined : { type: "typed", text });
    return true;
  }

  /** Leaves the list. Returns whether one is open. */
  dismiss(): boolean {
    if (this.#open === undefined) return false;
    this.#close(undefined);
    return true;
  }

  #close(chosen: Chosen | undefined): void {
    const { chosen: promise } = this.#open ?? {};
    this.#open = undefined;
    promise?.resolve(chosen);
  }
}

export interface ChooseByNumberOptions {
  readonly output: Output;
  /** Leaves the list. */
  readonly signal: AbortSignal;
}

/**
 * Lets the user choose before a conversation begins: numbered lines, and a line with a number as the answer. Resolves to the
 * position of the choice; undefined if the user leaves, the input ends or `signal` fires.
 */
export async function chooseByNumber(
  question: Omit<ListQuestion, "verb">,
  { output, signal }: ChooseByNumberOptions,
): Promise<number | undefined> {
  const lists = new NumberedLists((lines) => output.write(`${lines.join("\n")}\n`));
  let hasEnded = signal.aborted;
  const leave = (): void => {
    hasEnded = true;
    lists.dismiss();
  };
  const input = createInterface({ input: process.stdin, terminal: false });
  input.on("line", (line) => void lists.typed(line)).on("close", leave);
  signal.addEventListener("abort", leave, { once: true });
  try {
    while (!hasEnded) {
      const chosen = await lists.choose({ ...question, verb: "" });
      if (chosen?.type !== "typed") return chosen?.index;
    }
    return undefined;
  } finally {
    signal.removeEventListener("abort", leave);
    input.close();
  }
}

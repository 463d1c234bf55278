import { createInterface } from "node:readline";
import type { Output } from "../../output/output.ts";
import type { ListQuestion } from "../open-list.ts";
import { NumberedLists } from "./numbered-lists.ts";

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

import { changeLine, contentsLines, type TrustAnswer, type TrustOptions, type TrustState } from "@mdx-ai/directory";
import type { CommandContext } from "../command-context.ts";
import { chooseAnswer } from "./choose-answer.ts";

/**
 * How a command reads a directory: asks about trust on the terminal, as numbered lines if `isPlain` or if the terminal cannot move its
 * cursor. Shows what changed since the directory was trusted, else what it contains.
 */
export const trustOptions = (context: CommandContext, signal: AbortSignal, isPlain = false): TrustOptions => ({
  frontEnd: context,
  signal,
  askTrust: context.canAsk
    ? (question) => {
        const { path, state, canKeep } = question;
        const asked = { path, note: noteText(state), question: questionOf(state), answers: answersOf(canKeep) };
        return chooseAnswer(asked, context, { signal: question.signal, isPlain });
      }
    : undefined,
});

const answersOf = (canKeep: boolean): readonly { readonly value: TrustAnswer; readonly label: string }[] => [
  { value: "no", label: "No" },
  { value: "once", label: "Yes, this once" },
  ...(canKeep ? [{ value: "always" as const, label: "Yes, from now on, until it changes" }] : []),
];

const questionOf = ({ changes }: TrustState): string =>
  changes.length > 0
    ? "What it may run has changed. Do you trust its current state?"
    : "An agent runs its own code as you. Do you trust this directory?";

function noteText({ changes, manifest }: TrustState): string {
  if (changes.length > 0) return ["Since you trusted it:", ...changes.map(changeLine)].join("\n");
  return [...contentsLines(manifest), "Its model may ask to run commands and to read and write files."].join("\n");
}

import { visibleText } from "@mdx-ai/base";
import {
  type AskTrust,
  changeLine,
  contentsLines,
  type TrustAnswer,
  type TrustOptions,
  type TrustQuestion,
  type TrustState,
} from "@mdx-ai/directory";
import type { CommandContext } from "../command-context.ts";
import { interrupted } from "../failures/program-error.ts";
import { canRedraw, type Output } from "../output/output.ts";

/**
 * How a command reads a directory: asks about trust on the terminal, as numbered lines if `isPlain` or if the terminal cannot move its
 * cursor.
 */
export const trustOptions = (context: CommandContext, signal: AbortSignal, isPlain = false): TrustOptions => ({
  frontEnd: context,
  signal,
  askTrust: context.canAsk ? askTrustOn(context, isPlain) : undefined,
});

const askTrustOn = ({ stderr, environment }: CommandContext, isPlain: boolean): AskTrust =>
  isPlain || !canRedraw(environment) ? (question) => askInLines(question, stderr) : askTrust;

/** As `askTrust`, with numbered lines. */
async function askInLines({ path, state, canKeep, signal }: TrustQuestion, output: Output): Promise<TrustAnswer> {
  const { chooseByNumber } = await import("../terminal/plain/numbered-questions.ts");
  output.write(`${visibleText(path)}\n${noteText(state)}\n\n`);
  const answers = answersOf(canKeep);
  const choices = answers.map(({ label }) => ({ title: label, details: "", remark: "" }));
  const index = await chooseByNumber({ question: questionOf(state), choices }, { output, signal });
  const answer = answers[index ?? -1];
  if (answer === undefined) throw interrupted();
  return answer.value;
}

/**
 * Asks on the terminal through standard error, since standard output may be redirected. Shows what changed since the directory was trusted,
 * else what it contains. Rejects with `ProgramError` (interrupted) if the user or `signal` aborts.
 */
async function askTrust({ path, state, canKeep, signal }: TrustQuestion): Promise<TrustAnswer> {
  const { isCancel, note, select } = await import("@clack/prompts");
  note(noteText(state), visibleText(path), { output: process.stderr });
  const answer = await select<TrustAnswer>({
    message: questionOf(state),
    options: [...answersOf(canKeep)],
    output: process.stderr,
    signal,
  });
  if (isCancel(answer)) throw interrupted();
  return answer;
}

/** The available answers; the first is the safe default. */
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

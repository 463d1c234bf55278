import { visibleText } from "@mdx-ai/base";
import type { CommandContext } from "../command-context.ts";
import { interrupted } from "../failures/program-error.ts";
import { canRedraw } from "../output/output.ts";

/** A question before an agent starts. */
export interface StartQuestion<Value> {
  /** The path that it is about. */
  readonly path: string;
  /** Explains the question; may have several lines. */
  readonly note: string;
  readonly question: string;
  /** The first is the safe default. */
  readonly answers: readonly { readonly value: Value; readonly label: string }[];
}

/** How a question is asked. */
interface Asking {
  readonly signal: AbortSignal;
  /** Whether to ask in numbered lines, as on a terminal that cannot move its cursor. */
  readonly isPlain: boolean;
}

/**
 * Asks on the terminal through standard error, since standard output may be redirected. Rejects with `ProgramError` (interrupted) if the user
 * or the signal aborts.
 */
export async function chooseAnswer<Value extends string>(
  question: StartQuestion<Value>,
  { stderr, environment }: Pick<CommandContext, "stderr" | "environment">,
  { signal, isPlain }: Asking,
): Promise<Value> {
  const answer =
    isPlain || !canRedraw(environment)
      ? await chooseInLines(question, stderr, signal)
      : await chooseInMenu(question, signal);
  if (answer === undefined) throw interrupted();
  return answer;
}

async function chooseInLines<Value>(
  { path, note, question, answers }: StartQuestion<Value>,
  output: CommandContext["stderr"],
  signal: AbortSignal,
): Promise<Value | undefined> {
  const { chooseByNumber } = await import("../terminal/plain/numbered-questions.ts");
  output.write(`${visibleText(path)}\n${note}\n\n`);
  const choices = answers.map(({ label }) => ({ title: label, details: "", remark: "" }));
  const index = await chooseByNumber({ question, choices }, { output, signal });
  return answers[index ?? -1]?.value;
}

async function chooseInMenu<Value extends string>(
  { path, note, question, answers }: StartQuestion<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  const prompts = await import("@clack/prompts");
  prompts.note(note, visibleText(path), { output: process.stderr });
  const chosen = await prompts.select<string>({
    message: question,
    options: [...answers],
    output: process.stderr,
    signal,
  });
  return answers.find(({ value }) => value === chosen)?.value;
}

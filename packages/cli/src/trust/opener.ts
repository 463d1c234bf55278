import {
  type AskTrust,
  changeLine,
  contentsLines,
  type Opener,
  type TrustAnswer,
  type TrustQuestion,
  type TrustState,
} from "@mdx-ai/directory";
import { visibleText } from "@mdx-ai/parser/visible-text";
import type { CommandContext } from "../command-context.ts";
import { interrupted } from "../failures/program-error.ts";
import { isTerminal } from "../output/output.ts";

/** Opens a directory for a command; asks about trust on the terminal. */
export const openerOf = (context: CommandContext, signal: AbortSignal): Opener => ({
  surroundings: context,
  signal,
  askTrust: askTrustOn(context),
});

/** Undefined without a terminal. */
function askTrustOn({ stderr }: CommandContext): AskTrust | undefined {
  if (!isTerminal(0) || !stderr.isTerminal) return undefined;
  return askTrust;
}

/**
 * Asks on the terminal, through standard error since standard output may go elsewhere. Shows what changed since the directory
 * was trusted, else what it contains. Rejects with `ProgramError` (interrupted) if the user or `signal` aborts.
 */
async function askTrust({ path, state, canKeep, signal }: TrustQuestion): Promise<TrustAnswer> {
  const { isCancel, note, select } = await import("@clack/prompts");
  note(noteText(state), visibleText(path), { output: process.stderr });
  const answer = await select<TrustAnswer>({
    message: state.changes.length > 0 ? CHANGED_QUESTION : QUESTION,
    options: [
      { value: "no", label: "No" },
      { value: "once", label: "Yes, this once" },
      ...(canKeep ? [{ value: "always" as const, label: "Yes, from now on, until it changes" }] : []),
    ],
    output: process.stderr,
    signal,
  });
  if (isCancel(answer)) throw interrupted();
  return answer;
}

const QUESTION = "An agent runs its own code as you. Do you trust this directory?";
const CHANGED_QUESTION = "What it may run has changed. Do you trust its current state?";

function noteText({ changes, isUnconfirmed, manifest }: TrustState): string {
  if (changes.length > 0) return ["Since you trusted it:", ...changes.map(changeLine)].join("\n");
  const before = isUnconfirmed ? ["You trusted it with an older version, which did not record what it contained."] : [];
  return [...before, ...contentsLines(manifest), "Its model may ask to run commands and to read and write files."].join(
    "\n",
  );
}

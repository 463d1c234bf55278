import { visibleText } from "@mdx-ai/parser/visible-text";
import { InterruptedError } from "../failures/interrupted-error.ts";
import { changeLine } from "../manifest/manifest-changes.ts";
import { contentsLines } from "./directory-contents.ts";
import type { TrustState } from "./trust-state.ts";

export type TrustAnswer = "once" | "always" | "no";

export interface TrustQuestion {
  /** The real path. */
  readonly path: string;
  readonly state: TrustState;
  /** Whether the answer can be stored. */
  readonly canKeep: boolean;
  /** Withdraws the question. */
  readonly signal: AbortSignal;
}

/**
 * Asks on the terminal, through standard error since standard output may go elsewhere. Shows what changed since the directory
 * was trusted, else what it contains. Rejects with `InterruptedError` if the user or `signal` aborts.
 */
export async function askTrust({ path, state, canKeep, signal }: TrustQuestion): Promise<TrustAnswer> {
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
  if (isCancel(answer)) throw new InterruptedError();
  return answer;
}

const QUESTION = "An agent runs its own code as you. Do you trust this directory?";
const CHANGED_QUESTION = "What it may run has changed. Do you trust its current state?";

function noteText({ changes, isUnconfirmed, manifest }: TrustState): string {
  if (changes.length > 0) return ["Since you trusted it:", ...changes.map(changeLine)].join("\n");
  const before = isUnconfirmed ? ["You trusted it with an older version, which did not record what it contained."] : [];
  return [...before, ...contentsLines(manifest), "Its model may ask to run commands and to touch files."].join("\n");
}

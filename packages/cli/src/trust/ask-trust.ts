import { InterruptedError } from "../failures/interrupted-error.ts";
import { changeLine } from "../manifest/manifest-changes.ts";
import { plainLine } from "../plain-text.ts";
import { contentsLines } from "./directory-contents.ts";
import type { TrustState } from "./trust-state.ts";

export type TrustAnswer = "once" | "always" | "no";

export interface TrustQuestion {
  /** The real path. */
  readonly path: string;
  readonly state: TrustState;
  /** Whether there is a place to keep the answer. */
  readonly canKeep: boolean;
  /** Takes the question back. */
  readonly signal: AbortSignal;
}

/**
 * Asks on the terminal, on standard error since standard output may go elsewhere. Where the directory was trusted before,
 * what changed since is shown, else what it holds. Rejects with `InterruptedError` where the user or `signal` breaks it off.
 */
export async function askTrust({ path, state, canKeep, signal }: TrustQuestion): Promise<TrustAnswer> {
  const { isCancel, note, select } = await import("@clack/prompts");
  note(noteText(state), plainLine(path), { output: process.stderr });
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
const CHANGED_QUESTION = "What it may run changed. Do you trust it as it is now?";

function noteText({ changes, isUnconfirmed, manifest }: TrustState): string {
  if (changes.length > 0) return ["Since you trusted it:", ...changes.map(changeLine)].join("\n");
  const before = isUnconfirmed ? ["You trusted it before trust was bound to what a directory holds."] : [];
  return [...before, ...contentsLines(manifest), "Its model may ask to run commands and to touch files."].join("\n");
}

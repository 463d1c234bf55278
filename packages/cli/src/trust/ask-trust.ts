import type { AgentDefinition } from "@mdx-ai/parser";
import { InterruptedError } from "../failures/interrupted-error.ts";
import { plainLine } from "../plain-text.ts";
import { directoryContents } from "./directory-contents.ts";

export type TrustAnswer = "once" | "always" | "no";

export interface TrustQuestion {
  /** The real path. */
  readonly path: string;
  readonly definition: AgentDefinition;
  /** Whether there is a place to keep the answer. */
  readonly canKeep: boolean;
  /** Takes the question back. */
  readonly signal: AbortSignal;
}

/**
 * Asks on the terminal, on standard error since standard output may go elsewhere. Rejects with `InterruptedError`
 * where the user or `signal` breaks it off.
 */
export async function askTrust(question: TrustQuestion): Promise<TrustAnswer> {
  const { path, definition, canKeep, signal } = question;
  const { isCancel, note, select } = await import("@clack/prompts");
  const lines = directoryContents(definition).map(({ kind, names }) => `${kind}: ${names.join(", ")}`);
  const contents = [...lines, "Its model can also run shell commands and read and write files."].join("\n");
  note(contents, plainLine(path), { output: process.stderr });
  const answer = await select<TrustAnswer>({
    message: "An agent runs its own code as you. Do you trust this directory?",
    options: [
      { value: "no", label: "No" },
      { value: "once", label: "Yes, this once" },
      ...(canKeep ? [{ value: "always" as const, label: "Yes, from now on" }] : []),
    ],
    output: process.stderr,
    signal,
  });
  if (isCancel(answer)) throw new InterruptedError();
  return answer;
}

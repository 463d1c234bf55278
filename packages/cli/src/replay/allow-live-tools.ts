import { plainLine } from "@mdx-ai/directory/text";
import type { RunCall } from "@mdx-ai/runtime";
import type { CommandContext } from "../command-context.ts";
import { interrupted } from "../failures/program-error.ts";
import { isTerminal } from "../output/output.ts";

export interface LiveToolsQuestion {
  /** What runs, on one line. */
  readonly what: string;
  /** `--yes`. */
  readonly isSure: boolean;
  /** Takes the question back. */
  readonly signal: AbortSignal;
}

/** What may run: nothing, all calls, or those that no user would be asked about. */
export type AllowedCalls = "none" | "all" | "permitted";

/**
 * Shows which tools run, and on a terminal asks whether they may. Rejects with `ProgramError` (interrupted) if the question is
 * broken off.
 */
export async function allowLiveTools(
  { what, isSure, signal }: LiveToolsQuestion,
  context: CommandContext,
): Promise<AllowedCalls> {
  context.stderr.write(`mdx-ai: ${plainLine(what)}\n`);
  if (isSure) return "all";
  if (!isTerminal(0) || !context.stderr.isTerminal) return "permitted";
  await context.stderr.flush();
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message: "Go on?", initialValue: false, output: process.stderr, signal });
  if (isCancel(answer)) throw interrupted();
  if (!answer) context.stderr.write("Nothing was run.\n");
  return answer ? "all" : "none";
}

/** The tools of calls that run again: "tools run again, with all that they do: bash (2 times), get_weather". */
export function rerunText(calls: readonly RunCall[]): string {
  const counts = [...Map.groupBy(calls, ({ name }) => name)].map(([name, { length }]) =>
    length === 1 ? name : `${name} (${length} times)`,
  );
  return counts.length === 0
    ? "there is no tool to be run again"
    : `tools run again, with all that they do: ${counts.join(", ")}`;
}

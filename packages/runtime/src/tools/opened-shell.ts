import type { SandboxOpening, SandboxOpenings } from "../types/permission.ts";
import type { BuiltinToolContext } from "../types/tool.ts";
import { runShell, type ShellCommand, type ShellEnd } from "./shell-run.ts";

/** Questions about the accesses that the sandbox blocked for one call. */
const MOST_QUESTIONS = 10;

/** A command that has run, and the final openings of its sandbox. */
export interface OpenedEnd extends ShellEnd {
  readonly openings: readonly SandboxOpening[];
  /** Why the user did not open it further; for the model. */
  readonly refused?: string;
}

/** Runs a command, and again with the sandbox opened further as long as the user allows the blocked accesses. */
export async function runOpened(
  shellCommand: ShellCommand,
  { signal, update: show, keepOutput, openings: asking }: BuiltinToolContext,
): Promise<OpenedEnd> {
  const update = (text: string): void => {
    show(text);
    keepOutput?.(text);
  };
  const openings = [...(asking?.known(shellCommand.command) ?? [])];
  for (let questions = 0; ; questions++) {
    const opened = openings.map(({ access }) => access);
    const end = await runShell(shellCommand, opened, { signal, update });
    const answer = questions < MOST_QUESTIONS ? await ask(asking, shellCommand, end, signal) : undefined;
    if (answer === undefined || "refused" in answer) return { ...end, ...answer, openings };
    // The open accesses do not help.
    if (opened.some((access) => Bun.deepEquals(access, answer.access, true))) return { ...end, openings };
    openings.push(answer);
  }
}

const ask = async (
  asking: SandboxOpenings | undefined,
  { command }: ShellCommand,
  { held }: ShellEnd,
  signal: AbortSignal,
): ReturnType<SandboxOpenings["ask"]> =>
  held === undefined || signal.aborted ? undefined : asking?.ask(command, held, signal);

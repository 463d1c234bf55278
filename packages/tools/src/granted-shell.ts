import type { BuiltinToolContext, SandboxGrant, SandboxGrants } from "@mdx-ai/loop";
import { runShell, type ShellCommand, type ShellEnd } from "./shell-run.ts";

/** Asks the user about accesses that the sandbox blocked for one call. */
const MAX_QUESTIONS = 10;

/** A command that has run, and the grants of its last run. */
export interface GrantedEnd extends ShellEnd {
  readonly grants: readonly SandboxGrant[];
  /** Why the user granted no more, as text for the model. */
  readonly refused?: string;
}

/** Runs a command, and again with more grants as long as the user allows the blocked accesses. */
export async function runGranted(
  shellCommand: ShellCommand,
  { signal, update: show, keepOutput, grants: asking }: BuiltinToolContext,
): Promise<GrantedEnd> {
  const update = (text: string): void => {
    show(text);
    keepOutput?.(text);
  };
  const grants = [...(asking?.known(shellCommand.command) ?? [])];
  for (let questions = 0; ; questions++) {
    const granted = grants.map(({ access }) => access);
    const end = await runShell(shellCommand, granted, { signal, update });
    const answer = questions < MAX_QUESTIONS ? await ask(asking, shellCommand, end, signal) : undefined;
    if (answer === undefined || "refused" in answer) return { ...end, ...answer, grants };
    // It was granted but did not help.
    if (granted.some((access) => Bun.deepEquals(access, answer.access, true))) return { ...end, grants };
    grants.push(answer);
  }
}

const ask = async (
  asking: SandboxGrants | undefined,
  { command }: ShellCommand,
  { blocked }: ShellEnd,
  signal: AbortSignal,
): ReturnType<SandboxGrants["ask"]> =>
  blocked === undefined || signal.aborted ? undefined : asking?.ask(command, blocked, signal);

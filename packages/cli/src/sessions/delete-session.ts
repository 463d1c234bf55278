import { plainLine } from "@mdx-ai/directory/text";
import { deleteSession, JournalError, readSession } from "@mdx-ai/runtime";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { interrupted, UsageError } from "../failures/program-error.ts";
import { isTerminal } from "../output/output.ts";

/** Which session to delete. */
export interface SessionDeletion {
  /** Absolute. */
  readonly dataDir: string;
  /** The session's id. */
  readonly words: readonly string[];
  readonly args: ParsedArguments;
  readonly context: CommandContext;
}

/**
 * Deletes a session with its history after `--yes`, or a question on the terminal. Rejects with `UsageError` if there is no
 * terminal to ask on, with `ProgramError` (interrupted) if the question is aborted, and with what `deleteSession` throws.
 */
export async function deleteAsked({ dataDir, words: [id = ""], args, context }: SessionDeletion): Promise<void> {
  const isSure = args.switches.has("yes") || (await mayDelete(dataDir, id, context));
  if (!isSure) {
    context.stderr.write("Nothing was deleted.\n");
    return;
  }
  deleteSession(dataDir, id, Date.now());
  context.stdout.write(`Deleted: ${plainLine(id)}\n`);
}

async function mayDelete(dataDir: string, id: string, context: CommandContext): Promise<boolean> {
  const title = titleOf(dataDir, id);
  if (!isTerminal(0) || !context.stderr.isTerminal) {
    throw new UsageError("there is no terminal to ask on; confirm with --yes");
  }
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({
    message: `Delete session ${plainLine(`${id} (${title})`)} with its history, for good?`,
    initialValue: false,
    output: process.stderr,
    signal: context.interruption.listen(),
  });
  if (isCancel(answer)) throw interrupted();
  return answer;
}

function titleOf(dataDir: string, id: string): string {
  try {
    return readSession(dataDir, id).summary.title;
  } catch (error) {
    // An unreadable session can still be deleted.
    if (error instanceof JournalError) return "damaged";
    throw error;
  }
}

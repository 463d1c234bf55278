import { agentIdentity } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import {
  openStoredSession,
  ownerMark,
  sessionFolder,
  sessionsFolder,
  type UndoOptions,
  type UndoResult,
  UnknownPromptError,
} from "@mdx-ai/sessions";
import type { SelfEditor } from "../types/self-edit.ts";
import { endedPrompts, undo } from "./undo.ts";

export interface RewindWithFiles extends UndoOptions {
  readonly id: string;
  /** The last prompt to keep in the transcript; 0 for none. */
  readonly to: number;
  /** Absolute. */
  readonly agentDir: string;
  /** As `AgentOptions.journalKey`: files are restored only in trusted sessions. */
  readonly journalKey: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Takes back the commits of changes of the agent's own files. */
  readonly selfEditor?: Pick<SelfEditor, "takeBack"> | undefined;
  readonly onWarning: (message: string) => void;
}

/**
 * Rewinds a session that no process has locked to an earlier prompt, and restores the files that the tools of later
 * prompts changed. Runs no agent code. Resolves to undefined if there is no later prompt. Rejects as `Session.rewind` and
 * `rewindSession` do.
 */
export async function rewindWithFiles(
  dataDir: string,
  { id, to, agentDir, journalKey, now, selfEditor, onWarning, force = false }: RewindWithFiles,
): Promise<UndoResult | undefined> {
  sessionFolder(dataDir, id);
  const directory = sessionsFolder(dataDir);
  const owner = ownerMark(journalKey, agentIdentity(realPathOrSame(agentDir)));
  const session = openStoredSession({ directory, id, owner, clock: { now: () => now }, onWarning });
  try {
    const { interrupted } = session;
    if (interrupted !== undefined) await session.closeInterrupted(interrupted.prompt);
    const numbers = endedPrompts(session.past.history()).map(({ number }) => number);
    if (to !== 0 && !numbers.includes(to)) throw new UnknownPromptError(id, to, numbers);
    const next = numbers.find((number) => number > to);
    return next === undefined ? undefined : await undo(session, { prompt: next, force, selfEditor });
  } finally {
    session.close();
  }
}

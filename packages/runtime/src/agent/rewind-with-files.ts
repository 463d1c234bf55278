import { realPlaceOrSame } from "@mdx-ai/base/disk";
import { lineMarks } from "../journal/line-marks.ts";
import { sessionFolder, sessionsFolder } from "../session/session-folder.ts";
import { openStoredSession } from "../session/stored-session.ts";
import { UnknownPromptError } from "../session/transcript.ts";
import type { TakeBackOptions, TakenBack } from "../types/checkpoint.ts";
import { takeBack } from "./take-back.ts";

export interface RewindWithFiles extends TakeBackOptions {
  readonly id: string;
  /** The prompt of the transcript with which it is to end; 0 for none. */
  readonly to: number;
  /** The agent directory that the user's marks are for. Absolute. */
  readonly agentDir: string;
  /** As `AgentOptions.journalKey`: files are restored only from lines that the user's programs wrote. */
  readonly journalKey: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly onWarning: (message: string) => void;
}

/**
 * Ends the transcript of a session that no agent holds with an earlier prompt, and restores the files that the tools of later
 * prompts changed; runs no code of the agent. Resolves to undefined if there is no later prompt. Rejects as `Agent.rewind` and
 * `rewindSession` do.
 */
export async function rewindWithFiles(
  dataDir: string,
  { id, to, agentDir, journalKey, now, onWarning, force = false }: RewindWithFiles,
): Promise<TakenBack | undefined> {
  sessionFolder(dataDir, id);
  const marks = lineMarks(journalKey, realPlaceOrSame(agentDir));
  const directory = sessionsFolder(dataDir);
  const session = openStoredSession({ directory, id, marks, now: () => now, onWarning });
  try {
    const { interrupted } = session;
    if (interrupted !== undefined) await session.closeInterrupted(interrupted.prompt);
    const numbers = session.past.prompts().map(({ number }) => number);
    if (to !== 0 && !numbers.includes(to)) throw new UnknownPromptError(id, to, numbers);
    const next = numbers.find((number) => number > to);
    return next === undefined ? undefined : await takeBack(session, { prompt: next, force });
  } finally {
    session.close();
  }
}

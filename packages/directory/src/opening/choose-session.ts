import type { Agent } from "@mdx-ai/runtime";
import {
  discardUnused,
  lastSession,
  newSession,
  SessionInUseError,
  sessionFolder,
  sessionFree,
  sessionWorkspace,
} from "@mdx-ai/sessions";
import { DirectoryError } from "../directory-error.ts";
import type { FrontEnd } from "../front-end.ts";
import type { RunOptions } from "./run-options.ts";

/** The name that requests a new session. */
export const NEW_SESSION = "new";

/** The options of a run that name its session. */
export type SessionOptions = Pick<RunOptions, "isEphemeral" | "session" | "isContinued" | "isResumed">;

export interface SessionFolders {
  /** With the sessions of the agent. Absolute. */
  readonly data: string;
  /** The workspace of the run, links resolved; undefined in the agent directory. Absolute. */
  readonly workspace: string | undefined;
  /** Receives notes for the user. */
  note(text: string): void;
}

export interface ChosenSession {
  /** Absent: the default session. */
  readonly session?: string;
  /** Whether it was made for this run. */
  readonly isNewSession: boolean;
}

/**
 * Chooses the session of a run: the named one; with `isContinued` the most recent one, of the workspace if there is one. In a
 * workspace, any other run begins a new session; without one, the default session continues. Sends a note if the session is not the
 * expected one, or worked elsewhere before. Throws `UnknownSessionError` if the session to resume does not exist.
 */
export function chooseSession(options: SessionOptions, folders: SessionFolders): ChosenSession {
  const { data, workspace } = folders;
  if (options.isEphemeral) return DEFAULT;
  if (options.session === NEW_SESSION) return beginNew(data);
  const session = knownSession(options, folders);
  if (session === undefined) return workspace === undefined ? DEFAULT : beginNew(data);
  const move = moveNote(session, { from: sessionWorkspace(data, session), to: workspace });
  if (move !== undefined) folders.note(move);
  return { session, isNewSession: false };
}

/** The session that a run continues, by name or as the most recent one. In a workspace, `isResumed` alone continues the most recent one, too. */
function knownSession(options: SessionOptions, { data, workspace, note }: SessionFolders): string | undefined {
  const { session, isContinued, isResumed } = options;
  if (session !== undefined) {
    if (isResumed) sessionFolder(data, session);
    return session;
  }
  if (!isContinued && (!isResumed || workspace === undefined)) return undefined;
  const last = lastSession(data, workspace);
  if (last === undefined && workspace !== undefined) note("no session of this workspace yet; starting a new one");
  return last;
}

/** The default session. */
const DEFAULT: ChosenSession = { isNewSession: false };

const beginNew = (data: string): ChosenSession => ({ session: newSession(data, Date.now()), isNewSession: true });

/** Removes the session that was made for a run if it has no prompt. Never throws. */
export function discardNewSession({ data, session, isNewSession }: ChosenSession & { readonly data: string }): void {
  if (isNewSession && session !== undefined) discardUnused(data, session, Date.now());
}

/** A note about a changed workspace of a continued session; undefined if it is the same. */
export function moveNote(
  session: string,
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
): string | undefined {
  if (from === undefined || from === to) return undefined;
  return `session ${session} has worked in ${from}; from now on it works in ${to ?? "the agent directory"}`;
}

/** A run waiting for its session. */
interface WaitingRun extends Pick<ChosenSession, "session"> {
  /** With the sessions of the agent. Absolute. */
  readonly data: string;
}

export interface Waiting {
  /** Receives one note that names the process that uses the session. */
  readonly frontEnd: Pick<FrontEnd, "onNotice">;
  readonly signal: AbortSignal;
}

/**
 * Resolves when no other process uses the session of a run.
 * Rejects with `DirectoryError` ("interrupted") if `signal` fires before that, or as `sessionFree` does.
 */
export async function waitForSession(run: WaitingRun, { frontEnd, signal }: Waiting): Promise<void> {
  const id = run.session ?? "main";
  const onHolder = (holder: string): void =>
    frontEnd.onNotice({ type: "note", text: `session ${id} is in use by ${holder}; waiting until it is free` });
  await sessionFree(run.data, id, { signal, onHolder });
  if (signal.aborted) throw new DirectoryError("interrupted");
}

/** Takes the session of a run; if another process was faster, waits again. Rejects as `waitForSession` does. */
export async function takeSession(agent: Agent, run: WaitingRun, waiting: Waiting): Promise<void> {
  for (;;) {
    try {
      await agent.session(run.session).messages();
      return;
    } catch (error) {
      if (!(error instanceof SessionInUseError)) throw error;
      await waitForSession(run, waiting);
    }
  }
}

import type { Agent } from "@mdx-ai/runtime";
import { SessionInUseError, sessionFree } from "@mdx-ai/sessions";
import { DirectoryError } from "../directory-error.ts";
import type { FrontEnd } from "../front-end.ts";
import type { ChosenSession } from "./prepare-run.ts";

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

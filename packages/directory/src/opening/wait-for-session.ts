import { type Agent, SessionInUseError, sessionFree } from "@mdx-ai/runtime";
import { DirectoryError } from "../directory-error.ts";
import type { Surroundings } from "../surroundings.ts";
import type { PlacedRun } from "./agent-run.ts";

export interface Waiting {
  /** A note names who holds the session, once. */
  readonly surroundings: Pick<Surroundings, "onNotice">;
  readonly signal: AbortSignal;
}

/**
 * Resolves when no other process holds the session of a run that waits for it; for any other run at once.
 * Rejects with `DirectoryError` ("interrupted") if `signal` fires before that, or as `sessionFree` does.
 */
export async function waitForSession(run: PlacedRun, { surroundings, signal }: Waiting): Promise<void> {
  if (!run.isWaiting) return;
  const id = run.session ?? "main";
  const onHolder = (holder: string): void =>
    surroundings.onNotice({ type: "note", text: `session ${id} is in use by ${holder}; waiting until it is free` });
  await sessionFree(run.data, id, { signal, onHolder });
  if (signal.aborted) throw new DirectoryError("interrupted");
}

/** Takes the session of a run that waits for it; if another process was faster, waits again. Rejects as `waitForSession` does. */
export async function takeSession(agent: Agent, run: PlacedRun, waiting: Waiting): Promise<void> {
  while (run.isWaiting) {
    try {
      await agent.messages(run.session);
      return;
    } catch (error) {
      if (!(error instanceof SessionInUseError)) throw error;
      await waitForSession(run, waiting);
    }
  }
}

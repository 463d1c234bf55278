import type { Agent } from "@mdx-ai/runtime";
import { SessionInUseError, sessionFree } from "@mdx-ai/sessions";
import { DirectoryError } from "../directory-error.ts";
import type { Surroundings } from "../surroundings.ts";
import type { PreparedRun } from "./prepare-run.ts";

/** The run that waits, and who learns what for. */
type WaitingRun = Pick<PreparedRun, "options" | "data" | "session">;

export interface Waiting {
  /** A note names the process that uses the session, once. */
  readonly surroundings: Pick<Surroundings, "onNotice">;
  readonly signal: AbortSignal;
}

/**
 * Resolves when no other process uses the session of a run that waits for it; for any other run at once.
 * Rejects with `DirectoryError` ("interrupted") if `signal` fires before that, or as `sessionFree` does.
 */
export async function waitForSession(run: WaitingRun, { surroundings, signal }: Waiting): Promise<void> {
  if (!run.options.isWaiting) return;
  const id = run.session ?? "main";
  const onHolder = (holder: string): void =>
    surroundings.onNotice({ type: "note", text: `session ${id} is in use by ${holder}; waiting until it is free` });
  await sessionFree(run.data, id, { signal, onHolder });
  if (signal.aborted) throw new DirectoryError("interrupted");
}

/** Takes the session of a run that waits for it; if another process was faster, waits again. Rejects as `waitForSession` does. */
export async function takeSession(agent: Agent, run: WaitingRun, waiting: Waiting): Promise<void> {
  while (run.options.isWaiting) {
    try {
      await agent.session(run.session).messages();
      return;
    } catch (error) {
      if (!(error instanceof SessionInUseError)) throw error;
      await waitForSession(run, waiting);
    }
  }
}

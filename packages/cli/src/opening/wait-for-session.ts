import { type Agent, SessionInUseError, sessionFree } from "@mdx-ai/runtime";
import { InterruptedError } from "../failures/interrupted-error.ts";
import type { AgentRun } from "./agent-run.ts";

export interface Waiting {
  /** Holds the sessions. Absolute. */
  readonly dataDir: string;
  readonly signal: AbortSignal;
  /** Called once with who holds the session. */
  readonly note: (message: string) => void;
}

/**
 * Resolves when no other process holds the session of a run with `--wait`; for any other run at once.
 * Rejects with `InterruptedError` if `signal` fires before that, or as `sessionFree` does.
 */
export async function waitForSession(run: AgentRun, { dataDir, signal, note }: Waiting): Promise<void> {
  if (!run.isWaiting) return;
  const id = run.session ?? "main";
  const onHolder = (holder: string): void => note(`session ${id} is in use by ${holder}; waiting until it is free`);
  await sessionFree(dataDir, id, { signal, onHolder });
  if (signal.aborted) throw new InterruptedError();
}

/** Takes the session of a run with `--wait`; if another process was faster, waits again. Rejects as `waitForSession` does. */
export async function takeSession(agent: Agent, run: AgentRun, waiting: Waiting): Promise<void> {
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

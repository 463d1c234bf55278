import { lastSession, newSession, sessionFolder } from "@mdx-ai/runtime";
import type { AgentRun } from "./agent-run.ts";
import { NEW_SESSION } from "./session-words.ts";

/**
 * The session that a run continues: the one that it names, a new one for `new`, or the last used for `--continue`.
 * Throws `UnknownSessionError` if the one to resume does not exist.
 */
export function chooseSession(run: AgentRun, dataDir: string): string | undefined {
  if (run.isContinued) return lastSession(dataDir);
  if (run.isResumed && run.session !== undefined) sessionFolder(dataDir, run.session);
  return run.session === NEW_SESSION ? newSession(dataDir, Date.now()) : run.session;
}

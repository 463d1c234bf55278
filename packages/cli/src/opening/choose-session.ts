import type { AgentDirectory } from "@mdx-ai/parser";
import { lastSession, newSession, sessionFolder } from "@mdx-ai/runtime";
import type { AgentRun } from "./agent-run.ts";
import { NEW_SESSION } from "./session-words.ts";

/**
 * The session that a run goes on with: the one that it names, a new one for `new`, or the last used for `--continue`.
 * Throws `UnknownSessionError` where one is to be resumed that is not there.
 */
export function chooseSession(run: AgentRun, { path }: AgentDirectory): string | undefined {
  if (run.isContinued) return lastSession(path);
  if (run.isResumed && run.session !== undefined) sessionFolder(path, run.session);
  return run.session === NEW_SESSION ? newSession(path, Date.now()) : run.session;
}

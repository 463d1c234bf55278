import type { AgentDirectory } from "@mdx-ai/parser";
import { lastSession, newSession } from "@mdx-ai/runtime";
import type { AgentRun } from "./agent-run.ts";

/** The word that stands for a session that is to be made. */
export const NEW_SESSION = "new";

/** The session that a run goes on with: the one that it names, a new one for `new`, or the last used for `--continue`. */
export function chooseSession(run: AgentRun, { path }: AgentDirectory): string | undefined {
  if (run.isContinued) return lastSession(path);
  return run.session === NEW_SESSION ? newSession(path, Date.now()) : run.session;
}

import { lastSession, newSession, sessionFolder } from "@mdx-ai/runtime";
import type { AgentRun } from "./agent-run.ts";
import { type DataSurroundings, dataOfRun } from "./data-directory.ts";

/** The name that stands for a new session. */
export const NEW_SESSION = "new";

/** A run that knows the folder of its data, and its session if that is not the default one. */
export interface PlacedRun extends AgentRun {
  readonly data: string;
}

/** Chooses the folder of a run's data and its session. Throws as `dataOfRun` and `chooseSession` do. */
export function placeRun(
  run: AgentRun,
  directory: { readonly path: string },
  surroundings: DataSurroundings,
): PlacedRun {
  const data = dataOfRun(run, directory, surroundings);
  const session = chooseSession(run, data);
  return { ...run, data, ...(session !== undefined && { session }) };
}

/**
 * The session that a run continues: the one that it names, a new one for `new`, or the last used. Throws
 * `UnknownSessionError` if the one to resume does not exist.
 */
function chooseSession(run: AgentRun, dataDir: string): string | undefined {
  if (run.isContinued) return lastSession(dataDir);
  if (run.isResumed && run.session !== undefined) sessionFolder(dataDir, run.session);
  return run.session === NEW_SESSION ? newSession(dataDir, Date.now()) : run.session;
}

import type { AgentDirectory } from "@mdx-ai/parser";
import type { RecordingSource, Replay } from "./replay.ts";

/**
 * Opens a recorded session of an agent for a replay: no model is asked, no code of the directory is run. `dataDirectory` holds
 * the agent's sessions and memories. Rejects with
 * `ReplayError`, `JournalError`, `SessionIdError` or `UnknownSessionError`.
 */
export async function openReplay(
  directory: AgentDirectory,
  source: RecordingSource,
  dataDirectory: string = directory.path,
): Promise<Replay> {
  const { sessionReplay } = await import("./session-replay.ts");
  return sessionReplay(directory, source, dataDirectory);
}

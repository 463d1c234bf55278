import type { AgentDirectory } from "@mdx-ai/parser";
import type { RecordingSource } from "@mdx-ai/sessions";
import type { Comparison, ComparisonOptions } from "./model-comparison.ts";
import type { Replay } from "./session-replay.ts";

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

/**
 * Opens another model for a recorded session. Calls that are the same as recorded ones get the recorded results. Rejects as
 * `openAgent` does, and with `ReplayError` if the prose of the agent holds code that may not run.
 */
export async function openComparison(options: ComparisonOptions): Promise<Comparison> {
  const { modelComparison } = await import("./model-comparison.ts");
  return modelComparison(options);
}

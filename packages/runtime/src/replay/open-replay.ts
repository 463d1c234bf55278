import type { AgentDirectory } from "@mdx-ai/parser";
import type { RecordingSource } from "@mdx-ai/sessions";
import type { Comparison, ComparisonOptions } from "./model-comparison.ts";
import type { Replay } from "./session-replay.ts";

/**
 * Opens a recorded session for a replay. Asks no model and runs no code of the directory. `dataDirectory` contains
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
 * Opens another model for a recorded session. Calls equal to recorded ones get the recorded results. Rejects as
 * `openAgent` does, and with `ReplayError` if the prose of the agent holds code that may not run.
 */
export async function openComparison(options: ComparisonOptions): Promise<Comparison> {
  const { modelComparison } = await import("./model-comparison.ts");
  return modelComparison(options);
}

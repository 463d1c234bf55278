import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { attempt } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import type { FrontEnd } from "../front-end.ts";
import { agentFolder, editFiles } from "../paths.ts";

/**
 * Reads files of an agent as they are before or after a change by the agent itself, never in between: waits for such a change, completes one
 * whose process was killed, and reads again if one was made meanwhile. Rejects as `read` does, or with the file system's error.
 */
export async function steadily<Result>(
  directory: string,
  frontEnd: FrontEnd,
  read: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const before = await lastChange(directory, frontEnd);
    const [outcome] = await Promise.allSettled([read()]);
    if ((await lastChange(directory, frontEnd)) !== before) continue;
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }
}

/** A text that differs after each change of a directory by its agent; undefined before the first one. */
async function lastChange(directory: string, frontEnd: FrontEnd): Promise<string | undefined> {
  const { environment, heldFiles } = frontEnd;
  // Most users have no agent that changes itself: for them, no path is resolved.
  const folder = heldFiles === undefined ? editFiles("", environment)?.mark : undefined;
  if (folder === undefined || !existsSync(dirname(folder))) return undefined;
  const path = realPathOrSame(agentFolder(directory, frontEnd));
  const files = editFiles(path, environment);
  if (files === undefined) return undefined;
  if (existsSync(files.unfinished)) {
    const { finishEdit } = await import("./edit-record.ts");
    await finishEdit(path, files, frontEnd);
  }
  return attempt(() => readFileSync(files.mark, "utf8"));
}

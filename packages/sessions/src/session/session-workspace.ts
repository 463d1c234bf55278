import { realPathOrSame } from "@mdx-ai/base/disk";
import type { SessionHistory } from "../history/session-history.ts";

/**
 * The workspace of sessions whose tools work in a folder: its path with links resolved; undefined if that is the agent directory,
 * which is no workspace.
 */
export function workspaceAt(cwd: string, directory: { readonly path: string }): string | undefined {
  const workspace = realPathOrSame(cwd);
  return workspace === realPathOrSame(directory.path) ? undefined : workspace;
}

/** The last workspace of a session, if any. Pure. */
export function newestWorkspace({ before, prompts }: Pick<SessionHistory, "before" | "prompts">): string | undefined {
  const workspaces = prompts.map(({ begin }): unknown => begin?.plan.workspace);
  // Not validated when the journal is read, so that an otherwise valid plan stays readable.
  const newest = workspaces.findLast((workspace) => typeof workspace === "string");
  return typeof newest === "string" ? newest : before.workspace;
}

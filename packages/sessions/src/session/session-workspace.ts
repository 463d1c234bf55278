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

/** Where the tools of a session worked last, if that was ever a workspace. Pure. */
export function newestWorkspace({ before, prompts }: Pick<SessionHistory, "before" | "prompts">): string | undefined {
  const workspaces = prompts.map(({ begin }): unknown => begin?.plan.workspace);
  // Nobody checks it when the journal is read: a prompt whose plan is otherwise sound must stay readable.
  const newest = workspaces.findLast((workspace) => typeof workspace === "string");
  return typeof newest === "string" ? newest : before.workspace;
}

import { DATA_FOLDERS, isWithin } from "@mdx-ai/base";
import { pathWithin } from "@mdx-ai/base/disk";
import type { NamedTool, ToolAccess } from "@mdx-ai/loop";
import type { PermissionMode } from "@mdx-ai/parser";
import { isNamedByGit } from "@mdx-ai/sandbox";
import { meaningOf } from "./defining-files.ts";
import { ALLOWED, type PolicyDecision } from "./layered-decision.ts";
import type { PathContext, Permissions } from "./permissions.ts";
import { meaningAtTop, meaningInWorkspace, REASONS } from "./workspace-files.ts";

export const ask = (reason: string): PolicyDecision => ({ action: "ask", reason });

interface AccessOfTool {
  readonly tool: NamedTool;
  readonly access: ToolAccess;
  /** The MCP server that runs it. */
  readonly server?: string | undefined;
  readonly mode: PermissionMode;
}

/** The decision about an access that no rule matches. Rejects as `isShellSandboxed` does. */
export async function defaultDecision(
  { tool, access, server, mode }: AccessOfTool,
  permissions: Permissions,
): Promise<PolicyDecision> {
  const { isShellSandboxed = async () => false, isHostListed = () => false } = permissions.options;
  switch (access.kind) {
    case "read":
      return defaultForReading(access.path, permissions.places());
    case "write":
      return defaultForWriting(access.path, permissions.places(), mode);
    case "command":
      return (await isShellSandboxed(tool)) ? ALLOWED : ask("runs a shell command outside a sandbox");
    case "host":
      // The author of any other tool names its hosts; of a builtin tool, the model does.
      return tool.origin !== "builtin" || isHostListed(access.host) ? ALLOWED : ask(`reaches ${access.host}`);
    case "call":
      return server === undefined ? ALLOWED : ask(`calls a tool of the MCP server ${server}`);
  }
}

function defaultForReading(path: string, places: PathContext): PolicyDecision {
  const { agentDir, cwd, workspace, additionalDirectories, repository, skillFolders } = places;
  const folders = [agentDir, cwd, ...skillFolders, workspace, ...additionalDirectories, repository];
  if (folders.some((folder) => folder !== undefined && isWithin(folder, path))) return ALLOWED;
  const around = repository === undefined ? "the workspace" : "the repository of the workspace";
  return ask(`reads outside the agent directory and ${workspace === undefined ? "the working directory" : around}`);
}

function defaultForWriting(path: string, places: PathContext, mode: PermissionMode): PolicyDecision {
  const meaning = protectedMeaning(path, places);
  if (meaning !== undefined) return ask(meaning);
  const { agentDir, home } = places;
  const isOfAgent = isWithin(agentDir, path);
  const roots = workspaceRoots(places);
  const workspace = roots.find((root) => isWithin(root, path));
  if (workspace === undefined) {
    return isOfAgent
      ? ALLOWED
      : ask(`writes outside the agent directory${roots.length === 0 ? "" : " and the workspace"}`);
  }
  // If one folder contains the other, the inner one decides.
  if (isOfAgent && isWithin(workspace, agentDir)) return ALLOWED;
  if (home !== undefined && isWithin(workspace, home)) return ask("writes in a workspace that holds your home folder");
  return mode === "ask" ? ask("writes in the workspace") : ALLOWED;
}

/** Why a write must be approved in every mode, as text for people; undefined if it need not be. */
export function protectedMeaning(path: string, places: PathContext): string | undefined {
  const { agentDir, dataDir, definingFiles } = places;
  const what = (folder: string, meaningIn: (relative: string) => string | undefined): string | undefined => {
    const relative = pathWithin(folder, path);
    const meaning = relative === undefined ? undefined : meaningIn(relative);
    return meaning && `writes onto ${JSON.stringify(relative)}, which ${meaning}`;
  };
  return (
    what(agentDir, (relative) => meaningOf(relative, definingFiles) ?? meaningAtTop(relative)) ??
    (dataDir === agentDir ? undefined : what(dataDir, meaningOfRecord)) ??
    workspaceRoots(places)
      .map((root) =>
        what(root, (relative) => meaningInWorkspace(relative) ?? (isNamedByGit(root, path) ? REASONS.git : undefined)),
      )
      .find((meaning) => meaning !== undefined)
  );
}

/** The workspace and the folders that count as it. */
export const workspaceRoots = ({
  workspace,
  additionalDirectories,
}: Pick<PathContext, "workspace" | "additionalDirectories">): readonly string[] => [
  ...(workspace === undefined ? [] : [workspace]),
  ...additionalDirectories,
];

const meaningOfRecord = (relative: string): string | undefined =>
  DATA_FOLDERS.some((folder) => isWithin(folder, relative)) ? "records what the agent did" : undefined;

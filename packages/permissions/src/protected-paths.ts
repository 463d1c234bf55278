import type { Environment } from "@mdx-ai/base";
import type { SandboxLists } from "@mdx-ai/sandbox";
import { definingPaths, LOCK_FILES, meaningOf } from "./defining-files.ts";
import { programFolders, secretPaths, VARIABLES_FILE } from "./secret-paths.ts";
import { meaningAtTop, RESERVED_NAMES, workspacePaths } from "./workspace-files.ts";

interface ProtectionQuestion {
  readonly environment: Environment;
  /** Files of the agent that trust covers, existing or not, relative to its directory, separated by "/". */
  readonly definingFiles?: readonly string[] | undefined;
}

/** With a HEAD file, git would treat a folder as a repository, whose settings can name programs. */
const BARE = "HEAD";

/** What the sandboxes of an agent hide, and what they protect at the roots of the agent directory and of the workspace. */
export function protectedPaths({ environment, definingFiles = [] }: ProtectionQuestion): SandboxLists {
  const defining = new Set(definingFiles.map((file) => file.toLowerCase()));
  const ofAgent = definingPaths(definingFiles);
  const startUp = workspacePaths();
  // These run nothing by themselves.
  const reserved = ofAgent.filter((path) => !LOCK_FILES.includes(path));
  return {
    hide: secretPaths(environment),
    hideNamed: VARIABLES_FILE,
    readOnly: programFolders(environment),
    agent: {
      protect: [...new Set([...ofAgent, ...startUp])],
      reserve: [...new Set([...reserved, ...RESERVED_NAMES])],
      isProtected: (path) => (meaningOf(path, defining) ?? meaningAtTop(path)) !== undefined,
    },
    workspace: { protect: [...startUp, BARE], reserve: [...RESERVED_NAMES, BARE] },
  };
}

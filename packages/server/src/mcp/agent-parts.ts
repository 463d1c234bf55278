import type { Redactor } from "@mdx-ai/base";
import type { OpenDirectory } from "@mdx-ai/directory";

/** An agent, and what its servers need besides. */
export interface AgentServerParts {
  readonly open: OpenDirectory;
  readonly redactor: Redactor;
  /** The version of this program. */
  readonly version: string;
  /** Takes a function to call when changed files of the agent are loaded. */
  readonly onReload?: (listener: () => void) => void;
  /** Receives warnings that the client cannot show: one line each. */
  readonly onWarning: (message: string) => void;
}

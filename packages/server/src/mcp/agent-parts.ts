import type { Redactor } from "@mdx-ai/base";
import type { OpenDirectory } from "@mdx-ai/directory";

/** An agent, and what its servers need besides. */
export interface AgentServerParts {
  readonly open: OpenDirectory;
  /** The working directory of tools. Absolute. */
  readonly folder: string;
  readonly redactor: Redactor;
  /** The version of this program. */
  readonly version: string;
  /** Receives warnings that the client cannot show: one line each. */
  readonly onWarning: (message: string) => void;
}

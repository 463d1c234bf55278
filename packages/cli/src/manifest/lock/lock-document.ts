import type { AgentSettings, JsonSchema, ToolFiles, Verdict } from "@mdx-ai/parser";

/** A tool in a lock file. What the author did not say is absent. */
export interface LockedTool {
  readonly description: string;
  /** SHA-256. */
  readonly code: string;
  readonly source?: string;
  readonly schema: JsonSchema;
  readonly env: readonly string[];
  readonly network?: readonly string[];
  readonly files?: ToolFiles;
  readonly permission?: Verdict;
  readonly idempotent?: boolean;
  readonly timeout?: number;
}

/**
 * `agent.lock.json`: what an agent is and may do, to be reviewed as text. No path of a machine and no time is in it; all names
 * are sorted, but for permissions, whose order counts.
 */
export interface LockDocument {
  readonly version: 1;
  readonly name: string;
  /** Of the persona. */
  readonly prose: string;
  readonly tools: Readonly<Record<string, LockedTool>>;
  /** Of the compiled prose, where it holds code. */
  readonly program?: string;
  /** Of all files that execute or decide what executes, by path; one outside the directory begins with "../". */
  readonly files: Readonly<Record<string, string>>;
  /** Of installed packages that are imported, such as `left-pad@1.3.0`. */
  readonly packages: Readonly<Record<string, string>>;
  /** Patterns, each with its verdict. */
  readonly permissions: readonly (readonly [pattern: string, verdict: Verdict])[];
  readonly sandbox?: AgentSettings["sandbox"];
  readonly mcp?: unknown;
  /** Of the texts of the skills. */
  readonly skills: Readonly<Record<string, string>>;
  /** Of what heartbeat.md says. */
  readonly heartbeat?: string;
  /** All other settings. */
  readonly settings: Readonly<Record<string, unknown>>;
}

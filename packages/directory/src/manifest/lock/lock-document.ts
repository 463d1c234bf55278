import type { AgentSettings, JsonSchema, ToolFiles, Verdict } from "@mdx-ai/parser";

/** A tool in a lock file. Attributes that the author did not write are absent. */
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
 * `agent.lock.json`: what an agent is and may do, for review as text. It contains no times and no paths of a machine. All
 * names are sorted, except permissions, whose order matters.
 */
export interface LockDocument {
  readonly version: 1;
  readonly name: string;
  /** Hash of the persona. */
  readonly prose: string;
  readonly tools: Readonly<Record<string, LockedTool>>;
  /** Hash of the compiled prose, if it contains code. */
  readonly program?: string;
  /** Hashes of all files that execute or decide what executes, by path; a path outside the directory begins with "../". */
  readonly files: Readonly<Record<string, string>>;
  /** Hashes of imported packages, by names such as `left-pad@1.3.0`. */
  readonly packages: Readonly<Record<string, string>>;
  /** Patterns, each with its verdict. */
  readonly permissions: readonly (readonly [pattern: string, verdict: Verdict])[];
  readonly sandbox?: AgentSettings["sandbox"];
  readonly mcp?: unknown;
  /** Hashes of the texts of the skills. */
  readonly skills: Readonly<Record<string, string>>;
  /** Hash of the content of heartbeat.md. */
  readonly heartbeat?: string;
  /** All other settings. */
  readonly settings: Readonly<Record<string, unknown>>;
}

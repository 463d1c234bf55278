import type { SandboxMode } from "@mdx-ai/parser";

/** What the user says of permissions and containment for one run. */
export interface PermissionFlags {
  /** Patterns such as `bash(git *)`. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Nothing is asked; denials count. */
  readonly allowsAll: boolean;
  readonly sandboxMode?: SandboxMode;
}

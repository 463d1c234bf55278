import type { Environment } from "@mdx-ai/models";
import type { Interruption } from "./interruption.ts";
import type { KeyCover } from "./output/key-cover.ts";
import type { Output } from "./output/output.ts";

/** The world of a command. */
export interface CommandContext {
  readonly environment: Environment;
  /** Absolute. Throws `UsageError` where it was removed. */
  readonly currentDirectory: string;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Redacted in all output. */
  readonly keys: KeyCover;
  readonly interruption: Interruption;
  /** The command that starts a tool host process. */
  readonly toolHostCommand: readonly string[];
  /** Whether tools of agent.mdx are cut off from every network but their own loopback. */
  readonly toolNetwork?: "none";
}

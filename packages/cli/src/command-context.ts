import type { Surroundings } from "@mdx-ai/directory";
import type { Interruption } from "./interruption.ts";
import type { KeyCover } from "./output/key-cover.ts";
import type { Output } from "./output/output.ts";

/** The context of the program before its command is known. */
export interface ProgramContext {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Redacted in all output. */
  readonly keys: KeyCover;
  readonly interruption: Interruption;
}

/** The context of a command. Notices go to standard error; `currentDirectory` throws `UsageError` where it was removed. */
export interface CommandContext extends ProgramContext, Surroundings {}

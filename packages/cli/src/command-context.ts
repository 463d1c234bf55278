import type { LearningRedactor } from "@mdx-ai/base";
import type { FrontEnd } from "@mdx-ai/directory";
import type { Interruption } from "./interruption.ts";
import type { Output, Paint } from "./output/output.ts";

/** Errors that no code awaits, such as one in a timer of a module. */
export interface LostErrors {
  /**
   * Registers a function that says whether an error is a module's, which is then reported for it. Returns a function that ends this; an error
   * of a file in one of `folders`, which end with a separator, is not the program's failure even then.
   */
  watch(claim: (error: unknown) => boolean, folders: readonly string[]): () => void;
  /** Whether an error is a module's, so that the program continues. The module is asked once for each error. */
  isClaimed(error: unknown): boolean;
}

/** The program's context before its command is known. `currentDirectory` throws `UsageError` if the folder was removed. */
export interface ProgramContext extends Pick<FrontEnd, "environment" | "currentDirectory"> {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Redacted in all output. */
  readonly keys: LearningRedactor;
  readonly interruption: Interruption;
  readonly lostErrors: LostErrors;
}

/** A command's context. Notices go to standard error. */
export interface CommandContext extends ProgramContext, FrontEnd {
  /** Whether the user can be asked: standard input and standard error are a terminal. */
  readonly canAsk: boolean;
  /** Colours text for standard output. */
  readonly paint: Paint;
}

import type { AgentDefinition } from "@mdx-ai/parser";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";

/** What the actions work with. */
export interface HeartbeatRun {
  readonly definition: AgentDefinition;
  /** Absolute. */
  readonly dataDirectory: string;
  readonly words: readonly string[];
  readonly args: ParsedArguments;
  readonly context: CommandContext;
}

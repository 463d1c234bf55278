import type { BuiltinTool } from "@mdx-ai/loop";
import type { ToolEffect } from "@mdx-ai/parser";

/**
 * A builtin tool, with the facts about it that are needed without its code: for settings of agents, permission rules, and imports
 * of other programs' agents. `npm run builtin-tools` copies them to the parser.
 */
export interface ListedTool extends BuiltinTool {
  /** Absent for a tool that only deals with what another one started. */
  readonly effects?: ToolEffect;
  readonly listing: ToolListing;
}

interface ToolListing {
  /** The name in `builtins` that selects it in a group: tools for work in a workspace, or with the names of another program. */
  readonly group: "coding" | "aiagent";
  /** Whether every agent has it unless its settings say otherwise; then no other tool may use its name. */
  readonly isBasic?: boolean;
  /** The tool that it is of no use without. */
  readonly companionOf?: string;
  /** Its names in Claude Code and opencode, in lower case, the usual one first. */
  readonly counterparts?: readonly string[];
  /** Tools of those programs without a counterpart here, whose work it does. */
  readonly replaces?: readonly string[];
}

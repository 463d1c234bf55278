import type { BuiltinTool } from "@mdx-ai/loop";
import type { ToolEffect } from "@mdx-ai/parser";

/**
 * A builtin tool, with what is known of it where its code is not: the settings of agents, permission rules, and imports of other programs'
 * agents. `npm run builtin-tools` copies that to the parser.
 */
export interface ListedTool extends BuiltinTool {
  readonly effects: ToolEffect;
  readonly listing: ToolListing;
}

interface ToolListing {
  /** The name in `builtins` that selects it with others: tools for work in a workspace, or with the names of another program. */
  readonly group: "coding" | "aiagent";
  /** Whether every agent has it unless its settings restrict that; then no other tool may take its name. */
  readonly isBasic?: boolean;
  /** Its names in Claude Code and opencode, in small letters, the usual one first. */
  readonly counterparts?: readonly string[];
  /** Tools there that have no counterpart, and whose work it does. */
  readonly replaces?: readonly string[];
}

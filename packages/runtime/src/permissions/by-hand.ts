import type { AgentTool } from "../types/tool.ts";
import { subjectsOf } from "./call-subject.ts";
import { deniedText } from "./denial-text.ts";
import type { Permissions } from "./permissions.ts";
import { ALLOWED, rulingOf, strictest } from "./rule-layers.ts";

/** A call was made that the user denies. */
class DeniedCallError extends Error {
  override readonly name = "DeniedCallError";
}

/**
 * A tool for calls that a person makes without a model, such as `mdx-ai tool`: nobody is asked, and only what the user
 * denies is not run.
 */
export function toolByHand(tool: AgentTool, permissions: Permissions): AgentTool {
  const layers = { ...permissions.rulesOf(tool.name), directory: [], allowsAll: true };
  if (layers.settings.length === 0 && layers.deny.length === 0) return tool;
  return {
    ...tool,
    execute: async (args, context) => {
      const touch = (await tool.touch?.(args)) ?? { kind: "call" };
      const unruled = { author: "allow", ruling: ALLOWED } as const;
      const rulings = subjectsOf(touch, args).map((subject) => rulingOf(layers, subject, unruled));
      const { verdict, reason } = strictest(rulings);
      if (verdict === "deny") throw new DeniedCallError(deniedText(reason));
      return tool.execute(args, { ...context, touch });
    },
  };
}

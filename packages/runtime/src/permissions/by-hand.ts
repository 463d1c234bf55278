import type { JsonObject } from "@mdx-ai/models";
import type { ToolTouch } from "../types/permission.ts";
import type { AgentTool } from "../types/tool.ts";
import { deniedText } from "./call-text.ts";
import type { Permissions } from "./permissions.ts";
import { type PolicyDecision, policyDecision, userDenial } from "./policy.ts";

/** A call was made that must not run. */
class DeniedCallError extends Error {
  override readonly name = "DeniedCallError";
}

/**
 * A tool for calls that a person makes without a model, such as `mdx-ai tool`: nobody is asked, and only what the user
 * denies does not run.
 */
export function toolByHand(tool: AgentTool, permissions: Permissions): AgentTool {
  return guarded(tool, async (args, touch) => userDenial(permissions, { tool: tool.name, args, touch }));
}

/** A tool for calls that nobody has seen, such as those of a recording: what would be asked about does not run either. */
export function toolUnasked(tool: AgentTool, permissions: Permissions): AgentTool {
  const { name, permission: author = "allow" } = tool;
  return guarded(tool, (args, touch) => policyDecision(permissions, { tool: name, args, touch, author }));
}

function guarded(tool: AgentTool, decide: (args: JsonObject, touch: ToolTouch) => Promise<PolicyDecision>): AgentTool {
  return {
    ...tool,
    execute: async (args, context) => {
      const touch = (await tool.touch?.(args)) ?? { kind: "call" };
      const { verdict, reason } = await decide(args, touch);
      if (verdict !== "allow") throw new DeniedCallError(deniedText(reason));
      return tool.execute(args, { ...context, touch });
    },
  };
}

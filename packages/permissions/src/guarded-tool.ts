import type { JsonObject } from "@mdx-ai/base";
import type { AgentTool, ForeignTool, ToolAccess, ToolOrigin } from "@mdx-ai/loop";
import type { PolicyDecision } from "./layered-decision.ts";
import type { Permissions } from "./permissions.ts";
import { deniedText, policyDecision, userDenial } from "./policy.ts";

/** Thrown for a call that a rule denies, or that needs a question. */
export class DeniedCallError extends Error {
  override readonly name = "DeniedCallError";
  readonly decision: PolicyDecision;

  constructor(decision: PolicyDecision) {
    super(deniedText(decision.reason));
    this.decision = decision;
  }
}

/**
 * Wraps a tool for calls that a person makes, as in `mdx-ai tool`: only calls that the user denies are refused, and no question
 * is asked.
 */
export function toolByHand(tool: AgentTool, permissions: Permissions): AgentTool {
  return guarded(tool, async (args, access) => userDenial(permissions, { tool: tool.name, args, access }));
}

/** Wraps a tool for calls that no person has seen, such as calls of a recording: calls that need a question are refused, too. */
export function toolUnasked(
  tool: AgentTool & Partial<ForeignTool>,
  origin: ToolOrigin,
  permissions: Permissions,
): AgentTool {
  const { name, permission: author = "allow", server, effects } = tool;
  const isReadOnly = tool.readOnly ?? effects === "reads";
  const call = { tool: { name, origin }, author, isReadOnly, server };
  return guarded(tool, (args, access) => policyDecision(permissions, { ...call, args, access }));
}

function guarded(
  tool: AgentTool,
  decide: (args: JsonObject, access: ToolAccess) => Promise<PolicyDecision>,
): AgentTool {
  return {
    ...tool,
    execute: async (args, context) => {
      const access = (await tool.access?.(args, context)) ?? { kind: "call" };
      const decision = await decide(args, access);
      if (decision.action !== "allow") throw new DeniedCallError(decision);
      return tool.execute(args, { ...context, access });
    },
  };
}

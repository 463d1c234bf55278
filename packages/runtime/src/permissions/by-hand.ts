import type { JsonObject } from "@mdx-ai/models";
import type { ToolTouch } from "../types/permission.ts";
import type { AgentTool } from "../types/tool.ts";
import { rulingOfCall } from "./call-ruling.ts";
import { subjectsOf } from "./call-subject.ts";
import { deniedText } from "./denial-text.ts";
import type { Permissions } from "./permissions.ts";
import { ALLOWED, type Ruling, rulingOf, strictest } from "./rule-layers.ts";

/** A call was made that must not run. */
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
  const unruled = { author: "allow", ruling: ALLOWED } as const;
  return guarded(tool, async (args, touch) =>
    strictest(subjectsOf(touch, args).map((subject) => rulingOf(layers, subject, unruled))),
  );
}

/** A tool for calls that nobody has seen, such as those of a recording: what would be asked is not run, either. */
export function toolUnasked(tool: AgentTool, permissions: Permissions): AgentTool {
  const { name, permission: author = "allow" } = tool;
  return guarded(tool, (args, touch) => rulingOfCall(permissions, { tool: name, args, touch, author }));
}

function guarded(tool: AgentTool, rule: (args: JsonObject, touch: ToolTouch) => Promise<Ruling>): AgentTool {
  return {
    ...tool,
    execute: async (args, context) => {
      const touch = (await tool.touch?.(args)) ?? { kind: "call" };
      const { verdict, reason } = await rule(args, touch);
      if (verdict !== "allow") throw new DeniedCallError(deniedText(reason));
      return tool.execute(args, { ...context, touch });
    },
  };
}

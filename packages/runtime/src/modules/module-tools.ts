import type { AgentTool } from "../types/tool.ts";
import type { FailureReport } from "./failure-report.ts";
import { toolList } from "./hook-answer.ts";
import { callHook } from "./hook-call.ts";
import type { LiveModule } from "./live-module.ts";
import { moduleTool } from "./module-tool.ts";

/**
 * The tools of all modules that can be offered to a model, as the modules made them. What is no tool, or has a name that
 * is taken by `takenNames` or an earlier module, is reported and left out.
 */
export function moduleTools(
  modules: readonly LiveModule[],
  takenNames: readonly string[],
  report: FailureReport,
): readonly AgentTool[] {
  const tools = new Map<string, AgentTool>();
  for (const module of modules) {
    for (const tool of offeredTools(module, report)) {
      if (takenNames.includes(tool.name) || tools.has(tool.name)) {
        report(`${module.place}: tools`, `left out ${JSON.stringify(tool.name)}, another tool has that name`);
      } else {
        tools.set(tool.name, tool);
      }
    }
  }
  return [...tools.values()];
}

function offeredTools({ place, module }: LiveModule, report: FailureReport): AgentTool[] {
  const offered = callHook({ place: `${place}: tools`, run: () => toolList(module.tools()) }, report) ?? [];
  return offered.flatMap((value, index) => {
    const tool = callHook({ place: `${place}: tools()[${index}]`, run: () => moduleTool(value) }, report);
    return tool ?? [];
  });
}

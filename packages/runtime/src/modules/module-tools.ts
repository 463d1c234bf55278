import type { AgentTool } from "../types/tool.ts";
import { toolList } from "./hook-answer.ts";
import { callHook } from "./hook-call.ts";
import type { LiveModule } from "./live-module.ts";
import { type ModuleToolOptions, moduleTool } from "./module-tool.ts";

/**
 * The tools of all modules that can be offered to a model, as the modules made them. What is no tool, or has a name that
 * is taken by `takenNames` or an earlier module, is reported and left out.
 */
export function moduleTools(
  modules: readonly LiveModule[],
  takenNames: readonly string[],
  options: ModuleToolOptions,
): readonly AgentTool[] {
  const tools = new Map<string, AgentTool>();
  for (const module of modules) {
    for (const tool of offeredTools(module, options)) {
      if (takenNames.includes(tool.name) || tools.has(tool.name)) {
        options.report(`${module.place}: tools`, `left out ${JSON.stringify(tool.name)}, another tool has that name`);
      } else {
        tools.set(tool.name, tool);
      }
    }
  }
  return [...tools.values()];
}

function offeredTools({ place, module }: LiveModule, options: ModuleToolOptions): AgentTool[] {
  const { report } = options;
  const offered = callHook({ place: `${place}: tools`, run: () => toolList(module.tools()) }, report) ?? [];
  return offered.flatMap((value, index) => {
    const tool = callHook(
      { place: `${place}: tools()[${index}]`, run: () => moduleTool(value, place, options) },
      report,
    );
    return tool ?? [];
  });
}

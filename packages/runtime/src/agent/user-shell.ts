import { basicTool } from "@mdx-ai/parser";
import { lastingAccesses } from "@mdx-ai/permissions";
import type { UserShell } from "../types/agent.ts";
import type { HookCommand, HookCommandEnd } from "../types/module.ts";
import { describeSandbox } from "./describe-sandbox.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { toolsFolder } from "./prompt-settings.ts";

function shellParts({ sandbox, permissions, options, background, environment }: LoadedAgent) {
  const granted = lastingAccesses({ permissions, tool: basicTool.runs });
  return { sandbox, granted, environment, cwd: toolsFolder(options), reaper: background.reaper };
}

/** Runs a command of a module as the tool `bash` does. Never rejects. */
export async function moduleCommand(loaded: LoadedAgent, command: HookCommand): Promise<HookCommandEnd> {
  const { runModuleCommand } = await import("../tools/user-command.ts");
  const { cwd: _cwd, ...parts } = shellParts(loaded);
  return runModuleCommand(command, parts);
}

/** The shell of an agent. `loaded` returns the current agent. */
export function userShell(loaded: () => LoadedAgent): UserShell {
  const parts = () => shellParts(loaded());
  return {
    describe() {
      const { sandbox, granted } = parts();
      return describeSandbox({ sandbox, granted, tools: loaded().options.directory.definition.tools });
    },
    async attach(command) {
      const { attachCommand } = await import("../tools/user-command.ts");
      const { environment, sandbox, cwd, granted } = parts();
      return attachCommand({ environment, sandbox }, { command, cwd, granted });
    },
    async run(command) {
      const { runUserCommand } = await import("../tools/user-command.ts");
      return runUserCommand({ ...command, ...parts() });
    },
  };
}

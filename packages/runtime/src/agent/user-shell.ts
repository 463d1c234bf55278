import { basicTool } from "@mdx-ai/parser";
import { lastingAccesses } from "@mdx-ai/permissions";
import type { UserShell } from "../types/agent.ts";
import { describeSandbox } from "./describe-sandbox.ts";
import { type LoadedAgent, toolsFolder } from "./load-agent.ts";

/** The shell of an agent. `loaded` returns the current agent. */
export function userShell(loaded: () => LoadedAgent): UserShell {
  const parts = () => {
    const { sandbox, permissions, options, background, environment } = loaded();
    const granted = lastingAccesses({ permissions, tool: basicTool.runs });
    return { sandbox, granted, environment, cwd: toolsFolder(options), reaper: background.reaper };
  };
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

import { lastingAccesses } from "../permissions/sandbox-openings.ts";
import type { UserShell } from "../types/agent.ts";
import { describeSandbox } from "./describe-sandbox.ts";
import { type LoadedAgent, toolsFolder } from "./load-agent.ts";

/** The shell of an agent. `loaded` returns the agent as it is now. */
export function userShell(loaded: () => LoadedAgent): UserShell {
  const parts = () => {
    const { sandbox, permissions, options } = loaded();
    const opened = lastingAccesses({ permissions, tool: "bash" });
    return { sandbox, opened, environment: options.environment, cwd: toolsFolder(options) };
  };
  return {
    describe() {
      const { sandbox, opened } = parts();
      return describeSandbox({ sandbox, opened, tools: loaded().options.directory.definition.tools });
    },
    async attach(command) {
      const { attachCommand } = await import("../tools/user-command.ts");
      const { environment, sandbox, cwd, opened } = parts();
      return attachCommand({ environment, sandbox }, { command, cwd, opened });
    },
    async run(command) {
      const { runUserCommand } = await import("../tools/user-command.ts");
      return runUserCommand({ ...command, ...parts() });
    },
  };
}

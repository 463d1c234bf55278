import type { AgentDirectory } from "@mdx-ai/parser";
import type { RunCommand } from "./server-code.ts";

/** A variable before the path of a script: it may be the agent directory, whatever its name is. */
const PLACES = /"?\$\{?\w+\}?"?\//g;

/** The commands of a directory's hooks and of its heartbeat's news: their files count as those of an MCP server do. */
export function shellCommands({ path, definition: { settings, heartbeat } }: AgentDirectory): readonly RunCommand[] {
  const hooks = Object.values(settings.hooks ?? {}).flatMap((groups) => groups.flatMap((group) => group.hooks));
  const directives = [heartbeat?.directives, ...(heartbeat?.routines ?? []).map((task) => task.directives)];
  const receivers = directives.flatMap((one) => one?.notify ?? []);
  const news = receivers.flatMap((receiver) => (receiver.type === "command" ? receiver : []));
  return [...hooks, ...news].map(({ command }) => ({
    baseDir: path,
    definition: { command: "sh", args: ["-c", command.replaceAll(PLACES, "")] },
  }));
}

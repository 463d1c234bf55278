import { basename } from "node:path";
import type { AgentDirectory } from "@mdx-ai/parser";
import { INTERPRETER, type RunCommand } from "./server-code.ts";

/** Variables of hooks before the path of a script. */
const PLACES = /"?\$\{?(?:CLAUDE_PROJECT_DIR|AGENT_DIR)\}?"?\//g;

/** The commands of a directory's hooks: their scripts count as those of an MCP server do. */
export function hookCommands({ path, definition }: AgentDirectory): readonly RunCommand[] {
  const groups = Object.values(definition.settings.hooks ?? {}).flat();
  const commands = groups.flatMap(({ hooks }) => hooks.map(({ command }) => command.replaceAll(PLACES, "")));
  return commands.flatMap(commandsIn).map((definition) => ({ baseDir: path, definition }));
}

/** The whole command, in which only programs count, and each interpreter in it, which may run a file of any name. */
function commandsIn(command: string): readonly RunCommand["definition"][] {
  const interpreted = command.split(/[;&|\n]+/).flatMap((part) => {
    const words = part
      .trim()
      .split(/\s+/)
      .map((word) => word.replace(/^["']|["']$/g, ""));
    const index = words.findIndex((word) => INTERPRETER.test(basename(word)));
    const script = words.slice(index + 1).find((word) => !word.startsWith("-"));
    return index === -1 || script === undefined ? [] : [{ command: words[index] ?? "", args: [script] }];
  });
  return [{ command: "hook", args: [command] }, ...interpreted];
}

import { toolHostCommand } from "@mdx-ai/directory/tool-host";
import type { CommandContext, ProgramContext } from "./command-context.ts";
import { UsageError } from "./failures/program-error.ts";
import { noticeText } from "./output/notice-text.ts";

/** The world of a command of this process. */
export function createContext(program: ProgramContext): CommandContext {
  const { stderr, keys, interruption } = program;
  const context: CommandContext = {
    ...program,
    environment: process.env,
    get currentDirectory() {
      return currentDirectory();
    },
    toolHostCommand: toolHostCommand(Bun.main),
    onNotice: (notice) => stderr.write(noticeText(notice, { surroundings: context, output: stderr, isShort: true })),
    onSecrets: (secrets) => keys.learn(secrets),
    whileReading: (read) => interruption.unheard(read),
  };
  return context;
}

/** Asked only where it matters: what needs no folder works in one that was removed, too. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new UsageError("the current folder was removed; change to one that exists", { cause });
  }
}

import { realPathOrSame } from "@mdx-ai/base/disk";
import { agentFolder, dataDirectory } from "@mdx-ai/directory";
import { lastSession } from "@mdx-ai/sessions";
import type { CommandContext } from "../command-context.ts";

/** The session that a command reads if none is given: the newest in the current folder, else the newest of all, else "main". */
export const newestSession = (
  dataDir: string,
  { currentDirectory }: Pick<CommandContext, "currentDirectory">,
): string => lastSession(dataDir, realPathOrSame(currentDirectory), true) ?? lastSession(dataDir) ?? "main";

/** As `newestSession`, for an agent and the value of `--data`. Throws as `dataDirectory` does. */
export function newestSessionOf(directory: string, data: string | undefined, context: CommandContext): string {
  const agentDir = agentFolder(directory, context);
  return newestSession(dataDirectory({ agentDir, data, isWriting: false }, context), context);
}

import { plainLine } from "@mdx-ai/directory/text";
import type { Session } from "@mdx-ai/runtime";

/** The background commands of a session, for `/jobs`. */
export function jobsText(commands: Session["backgroundCommands"]): string {
  if (commands.length === 0)
    return "No command runs in the background; the model starts one with `background` of bash.";
  return commands
    .map(({ id, command, isRunning }) => `${id}  ${isRunning ? "runs " : "ended"}  ${plainLine(command)}`)
    .join("\n");
}

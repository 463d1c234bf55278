import type { JsonObject } from "@mdx-ai/models";
import { shellTemplate } from "@mdx-ai/parser";
import { DEFAULT_SECONDS } from "../../sandbox/process-limits.ts";
import { shellResult } from "../../tools/bash.ts";
import { runOpened } from "../../tools/opened-shell.ts";
import type { BuiltinToolContext } from "../../types/tool.ts";
import type { Entrypoint } from "./entrypoint.ts";
import { shellCommand } from "./shell-command.ts";

/** `bash:TEMPLATE`: a command that is judged, contained and run as one of the tool `bash`. */
export const bashEntrypoint: Entrypoint = ({ tool, folder, names, surroundings }) => {
  const template = shellTemplate(tool.entrypoint.target, names);
  if (template.kind === "mistake") return template;
  const commandOf = (args: JsonObject): string => shellCommand({ template, schema: tool.schema, folder }, args);
  const { environment, sandbox } = surroundings;
  const seconds = tool.timeout ?? DEFAULT_SECONDS.shell;
  return {
    access: async (args) => ({ kind: "command", command: commandOf(args) }),
    execute: async (args, context: BuiltinToolContext) =>
      shellResult(
        await runOpened({ environment, sandbox, command: commandOf(args), cwd: context.cwd, seconds }, context),
      ),
  };
};

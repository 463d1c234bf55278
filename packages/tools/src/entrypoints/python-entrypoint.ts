import { pythonTarget } from "@mdx-ai/parser/entrypoints";
import { DEFAULT_SECONDS } from "@mdx-ai/sandbox";
import { PythonHost } from "../tool-host/python-host.ts";
import type { Entrypoint, EntrypointOptions } from "./entrypoint.ts";

/** `python:module.function`: a function that runs like an inline tool, in a python3 process. */
export function pythonEntrypoint(options: EntrypointOptions): Entrypoint {
  const { agentDir, workingDirectory, cwd, environment, sandbox } = options;
  const host = new PythonHost({ agentDir, cwd: workingDirectory, userCwd: cwd, environment, sandbox });
  return {
    tool: ({ tool, folder }) => {
      const target = pythonTarget(tool.entrypoint.target);
      if (target.kind === "mistake") return target;
      const { module, name } = target;
      const called = { folder, module, name, seconds: tool.timeout ?? DEFAULT_SECONDS.tool };
      return { execute: async (args, context) => host.call(called, args, context) };
    },
    close: () => host.close(),
  };
}

import { pythonTarget } from "@mdx-ai/parser";
import { DEFAULT_SECONDS } from "../../sandbox/process-limits.ts";
import type { Entrypoint } from "./entrypoint.ts";

/** `python:module.function`: a function that runs like the code of an inline tool, in a python3 process. */
export const pythonEntrypoint: Entrypoint = ({ tool, folder, surroundings: { python } }) => {
  const target = pythonTarget(tool.entrypoint.target);
  if (target.kind === "mistake") return target;
  const called = { folder, module: target.module, name: target.name, seconds: tool.timeout ?? DEFAULT_SECONDS.tool };
  return { execute: async (args, context) => python.call(called, args, context) };
};

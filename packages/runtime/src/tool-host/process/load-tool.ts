import { plugin } from "bun";
import { isRecord } from "../../record.ts";
import type { HostedTool } from "../host-messages.ts";

/** The function that a tool's code defines. */
export type Execute = (params: unknown, context: unknown) => unknown;

/** A tool's code defines no function `execute`. */
class NoExecuteError extends Error {
  override readonly name = "NoExecuteError";
}

/** The name under which `execute` is exported if the author does not export it. */
const EXPORTED = "__mdxAiExecute";

/**
 * Loads the code of a tool as a module at the path of its file, each line at its number in the file: so stacks are right,
 * and relative imports start in the agent's directory.
 */
export async function loadTool({ file, code }: HostedTool): Promise<Execute> {
  const lastLine = exportsExecute(code.text) ? "" : `export { execute as ${EXPORTED} };`;
  const contents = `${"\n".repeat(code.position.line - 1)}${code.text}\n${lastLine}`;
  plugin({
    name: "agent-tool",
    setup: (build) => {
      build.module(file.path, () => ({ contents, loader: /\.[jt]sx$/.test(file.path) ? "tsx" : "ts" }));
    },
  });
  const module: unknown = await import(file.path);
  const execute = isRecord(module) ? (module[EXPORTED] ?? module["execute"]) : undefined;
  if (!isExecute(execute)) throw new NoExecuteError("the tool's code defines no function `execute`");
  return execute;
}

function exportsExecute(text: string): boolean {
  try {
    return new Bun.Transpiler({ loader: "ts" }).scan(text).exports.includes("execute");
  } catch {
    // The import that follows reports broken code, with its position.
    return false;
  }
}

function isExecute(value: unknown): value is Execute {
  return typeof value === "function";
}

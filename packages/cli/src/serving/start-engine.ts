import { resolve } from "node:path";
import { readRunnable } from "@mdx-ai/directory";
import { type Engine, openEngine } from "@mdx-ai/engine";
import type { AgentSource } from "@mdx-ai/server/http";
import type { CommandContext } from "../command-context.ts";
import type { WorkerOptions } from "./engine-options.ts";

/** Starts a worker for the agents of directories, in the same order. Rejects with `EngineError`, or as `readRunnable` does. */
export async function startEngine(
  options: WorkerOptions,
  sources: readonly AgentSource[],
  directories: readonly string[],
  context: CommandContext,
): Promise<Engine> {
  const onWarning = (text: string): void => context.onNotice({ type: "warning", text: context.keys.text(text) });
  const agents = await Promise.all(
    sources.map(async (source, index) => {
      const path = resolve(context.currentDirectory, directories[index] ?? "");
      const { definition } = await readRunnable(path, context);
      return { ...source, title: definition.identity.name };
    }),
  );
  const engine = await openEngine({ ...options, agents, redactor: context.keys, onWarning });
  context.stderr.write(`mdx-ai: worker ${engine.url} of ${options.address}\n`);
  return engine;
}

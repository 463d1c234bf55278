import { type Engine, type EngineAgentSource, EngineError, openEngine } from "@mdx-ai/engine";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, ProgramError } from "../failures/program-error.ts";
import type { WorkerOptions } from "./engine-options.ts";

/** Starts a worker for agents. Rejects with `ProgramError`. */
export async function startEngine(
  options: WorkerOptions,
  agents: readonly EngineAgentSource[],
  context: CommandContext,
): Promise<Engine> {
  const onWarning = (text: string): void => context.onNotice({ type: "warning", text: context.keys.text(text) });
  try {
    const engine = await openEngine({ ...options, agents, redactor: context.keys, onWarning });
    context.stderr.write(`mdx-ai: worker ${engine.url} of ${options.address}\n`);
    return engine;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new ProgramError(error.message, EXIT_CODE.failed, { cause: error });
  }
}

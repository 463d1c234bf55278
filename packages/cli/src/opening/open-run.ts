import { openModel } from "@mdx-ai/models";
import type { AgentDirectory } from "@mdx-ai/parser";
import { type Agent, type AgentOptions, openAgent } from "@mdx-ai/runtime";
import type { CommandContext } from "../command-context.ts";
import { InterruptedError } from "../failures/interrupted-error.ts";
import { divertConsole } from "../output/module-console.ts";
import { ensureTrust } from "../trust/ensure-trust.ts";
import type { AgentRun } from "./agent-run.ts";
import { readRunnable } from "./read-directory.ts";

/**
 * Reads the directory and makes sure of the user's trust, in this order. Rejects where either fails, and with
 * `InterruptedError` where `signal` has fired by then.
 */
export async function readTrusted(
  run: AgentRun,
  context: CommandContext,
  signal: AbortSignal,
): Promise<AgentDirectory> {
  const directory = await readRunnable(run.directory, context);
  await ensureTrust(directory, context, { once: run.isTrusted, signal });
  if (signal.aborted) throw new InterruptedError();
  return directory;
}

/** Who hears what, and whether the heartbeat beats. */
export type RunListeners = Pick<AgentOptions, "onWarning" | "onBackgroundEvent" | "wakes">;

/** Opens the model, then the agent. The model: the flag, the frontmatter, then what the environment has a key for. */
export async function openRun(
  run: AgentRun,
  directory: AgentDirectory,
  { context, ...listeners }: RunListeners & { readonly context: CommandContext },
): Promise<Agent> {
  const { environment, toolHostCommand } = context;
  const model = await openModel(run.model ?? directory.definition.settings.model, { environment });
  const { onWarning } = listeners;
  if (directory.definition.modules.length > 0 && onWarning !== undefined) divertConsole(onWarning);
  return openAgent({
    directory,
    model,
    cwd: run.cwd,
    toolHostCommand,
    environment,
    ephemeral: run.isEphemeral,
    ...(run.temperature !== undefined && { temperature: run.temperature }),
    ...(run.maxTurns !== undefined && { maxTurns: run.maxTurns }),
    ...(run.session !== undefined && { session: run.session }),
    ...listeners,
  });
}

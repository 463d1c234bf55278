import { openModel } from "@mdx-ai/models";
import type { AgentDirectory } from "@mdx-ai/parser";
import { type Agent, type AgentOptions, openAgent } from "@mdx-ai/runtime";
import type { CommandContext } from "../command-context.ts";
import { ensureTrust } from "../trust/ensure-trust.ts";
import type { AgentRun } from "./agent-run.ts";
import { readRunnable } from "./read-directory.ts";

/** Reads the directory and makes sure of the user's trust, in this order. Rejects where either fails. */
export async function readTrusted(run: AgentRun, context: CommandContext): Promise<AgentDirectory> {
  const directory = await readRunnable(run.directory, context);
  await ensureTrust(directory, context, run.isTrusted);
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

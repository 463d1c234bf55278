import {
  type Environment,
  type ModelParameters,
  openConfiguredModels,
  openModel,
  type ResolvedConfiguration,
} from "@mdx-ai/models";
import type { AgentDirectory } from "@mdx-ai/parser";
import type { AgentOptions } from "@mdx-ai/runtime";
import type { CommandContext } from "../command-context.ts";
import type { AgentRun } from "./agent-run.ts";
import { resolveRun } from "./resolve-run.ts";

/** What an agent is to know of its models. */
export interface RunModels extends Pick<AgentOptions, "model" | "fallbacks" | "parameters" | "retries" | "secrets"> {
  /** What a user should know: one line each. */
  readonly notices: readonly string[];
}

/**
 * Opens the models that a run is configured with. Packages of the AI SDK are looked for in the agent directory, then in
 * the current folder. Rejects as `resolveConfiguration` and `openConfiguredModels` do.
 */
export async function openModels(
  run: AgentRun,
  directory: AgentDirectory,
  context: CommandContext,
): Promise<RunModels> {
  const { environment, currentDirectory: cwd } = context;
  const resolved = await resolveRun(run, directory.definition.settings, context);
  const secrets = resolved.models.flatMap(({ api_key: key }) => (key === undefined ? [] : [key.value]));
  context.keys.learn(secrets);
  const models = await openConfiguredModels(resolved, { environment, cwd, packageFolders: [directory.path, cwd] });
  return { ...models, secrets, parameters: parametersOf(resolved), retries: resolved.retries.value };
}

function parametersOf(resolved: ResolvedConfiguration): ModelParameters {
  const { temperature, max_tokens: maxTokens, thinking, reasoning_effort: effort, stream } = resolved;
  return {
    ...(temperature !== undefined && { temperature: temperature.value }),
    ...(maxTokens !== undefined && { maxTokens: maxTokens.value }),
    ...(thinking !== undefined && { thinking: thinking.value }),
    ...(effort !== undefined && { effort: effort.value }),
    stream: stream.value,
  };
}

/** For what asks no model; needs neither key nor configuration. */
export async function openNoModel(environment: Environment): Promise<RunModels> {
  return { model: await openModel("offline", { environment }), notices: [] };
}

import { type ResolvedConfiguration, resolveConfiguration } from "@mdx-ai/models";
import type { AgentSettings } from "@mdx-ai/parser";
import type { ModelChoice } from "../arguments/model-flags.ts";
import type { CommandContext } from "../command-context.ts";

/** The configuration of a run, made of all its sources. Rejects with `ConfigurationError`. */
export function resolveRun(
  { flags, configuration }: ModelChoice,
  settings: AgentSettings,
  { environment, currentDirectory: cwd }: CommandContext,
): Promise<ResolvedConfiguration> {
  const file = configuration === undefined ? {} : { file: configuration };
  return resolveConfiguration({ flags, environment, cwd, author: settings, ...file });
}

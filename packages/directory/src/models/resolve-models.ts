import { type Configuration, type ResolvedConfiguration, resolveConfiguration } from "@mdx-ai/models";
import type { AgentSettings } from "@mdx-ai/parser";
import type { FrontEnd } from "../front-end.ts";

/** The user's model options for one run. */
export interface ModelChoice {
  readonly flags: Configuration;
  /** A file with more options; its path as the user wrote it. */
  readonly configuration?: string;
}

/** The models to ask and their parameters, from all sources. Rejects with `ConfigurationError`. */
export function resolveModels(
  { flags, configuration }: ModelChoice,
  settings: AgentSettings,
  { environment, currentDirectory: cwd }: Pick<FrontEnd, "environment" | "currentDirectory">,
): Promise<ResolvedConfiguration> {
  const file = configuration === undefined ? {} : { file: configuration };
  return resolveConfiguration({ flags, environment, cwd, author: settings, ...file });
}

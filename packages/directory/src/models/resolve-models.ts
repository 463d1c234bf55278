import { type Configuration, type ResolvedConfiguration, resolveConfiguration } from "@mdx-ai/models";
import type { AgentSettings } from "@mdx-ai/parser";
import type { Surroundings } from "../surroundings.ts";

/** What the user says of the model for one run. */
export interface ModelChoice {
  readonly flags: Configuration;
  /** A file with more of it, as the user wrote its path. */
  readonly configuration?: string;
}

/** Which models are asked, and how: made of all sources. Rejects with `ConfigurationError`. */
export function resolveModels(
  { flags, configuration }: ModelChoice,
  settings: AgentSettings,
  { environment, currentDirectory: cwd }: Pick<Surroundings, "environment" | "currentDirectory">,
): Promise<ResolvedConfiguration> {
  const file = configuration === undefined ? {} : { file: configuration };
  return resolveConfiguration({ flags, environment, cwd, author: settings, ...file });
}

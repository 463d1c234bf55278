import type { Sourced } from "../configuration/configuration.ts";
import type { Environment } from "../types/environment.ts";

/** The version of Azure's interface where no configuration says. */
export function azureVersion(environment: Environment): Sourced<string> {
  const value = environment["AZURE_OPENAI_API_VERSION"]?.trim();
  return value ? { value, origin: "environment AZURE_OPENAI_API_VERSION" } : { value: "2024-02-01", origin: "default" };
}

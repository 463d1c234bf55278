import type { Environment } from "@mdx-ai/base";
import { unlocated } from "@mdx-ai/base/schema";
import { ConfigurationError } from "../errors.ts";
import {
  type AuthorConfiguration,
  type Configuration,
  type ConfigurationValues,
  configurationSchema,
  modelList,
} from "./configuration.ts";
import { readConfiguration, readInlineConfiguration } from "./read-configuration.ts";

type FieldName = keyof ConfigurationValues;

/** The values of one source, with the origin to report for each field. */
export interface Layer {
  readonly values: Configuration;
  origin(field: FieldName): string;
  /** The vendor assumed for a model name without a vendor prefix: the one whose key is in the environment, or a fixed one. */
  readonly fallbackVendor: "none" | "detected" | "detected or openai";
  /** Whether this is the agent's author, who may leave the choice to the user. */
  readonly isAuthors?: boolean;
}

/** The sources of a configuration. */
export interface ConfigurationSources {
  /** The command line's settings. */
  readonly flags?: Configuration;
  /** The user's variables: `LLM_PROVIDER_CONFIG`, `LLM_VENDOR`, `LLM_MODEL` and the vendors' keys. */
  readonly environment: Environment;
  /** A YAML or JSON file, relative to `cwd`. */
  readonly file?: string;
  /** Absolute. */
  readonly cwd: string;
  /** The agent's frontmatter. */
  readonly author?: AuthorConfiguration;
}

/** The sources, strongest first. Rejects with `ConfigurationError`. */
export async function readLayers({
  flags,
  environment,
  file,
  cwd,
  author,
}: ConfigurationSources): Promise<readonly Layer[]> {
  const inline = environment["LLM_PROVIDER_CONFIG"]?.trim();
  return [
    ...(flags === undefined ? [] : [flagLayer(flags)]),
    ...(inline ? [inlineLayer(inline)] : []),
    ...(file === undefined ? [] : [await fileLayer(file, cwd)]),
    environmentLayer(readEnvironment(environment)),
    ...(author === undefined ? [] : [authorLayer(author)]),
  ];
}

function inlineLayer(text: string): Layer {
  return configurationLayer(readInlineConfiguration(text, "LLM_PROVIDER_CONFIG"), "LLM_PROVIDER_CONFIG");
}

async function fileLayer(file: string, cwd: string): Promise<Layer> {
  const { readConfigurationFile } = await import("./file-configuration.ts");
  return configurationLayer(await readConfigurationFile(file, cwd), `config ${file}`);
}

/** Fields that have a command line flag. */
type FlagField = keyof AuthorConfiguration;

/** The command line flag of each field. */
export const FLAGS: Readonly<Record<FlagField, string>> = {
  model: "--model",
  temperature: "--temp",
  max_tokens: "--max-tokens",
  timeout: "--timeout",
  thinking: "--thinking",
  reasoning_effort: "--effort",
  stream: "--no-stream",
  retries: "--retries",
  offline: "--no-offline",
};

const flagNames: Partial<Readonly<Record<FieldName, string>>> = FLAGS;

const variables: Partial<Readonly<Record<FieldName, string>>> = { vendor: "LLM_VENDOR", model: "LLM_MODEL" };

const flagLayer = (values: Configuration): Layer => ({
  values,
  origin: (field) => `flag ${flagNames[field] ?? field}`,
  fallbackVendor: "none",
});

/** The layer of a file or variable with a whole configuration. */
const configurationLayer = (values: Configuration, name: string): Layer => ({
  values: hasConnectionAlone(values) ? { ...values, vendor: "openai" } : values,
  origin: () => name,
  fallbackVendor: "detected or openai",
});

/** A key or address without a vendor belongs to the default vendor, so that no other receives it. */
const hasConnectionAlone = ({ vendor, model, api_key: key, base_url: address }: Configuration): boolean =>
  vendor === undefined && model === undefined && (key !== undefined || address !== undefined);

const environmentLayer = (values: Configuration): Layer => ({
  values,
  origin: (field) => `environment ${variables[field] ?? field}`,
  fallbackVendor: "detected",
});

/** The layer of the frontmatter. Drops keys and addresses, which are reserved for the user. */
const authorLayer = ({ vendor, api_key, base_url, api_version, api, ...values }: Configuration): Layer => ({
  values,
  origin: () => "agent.mdx",
  fallbackVendor: "none",
  isAuthors: true,
});

/** Reads `LLM_VENDOR` and `LLM_MODEL`. Throws `ConfigurationError`. */
function readEnvironment(environment: Environment): Configuration {
  const vendor = environment["LLM_VENDOR"]?.trim();
  const models = environment["LLM_MODEL"]?.trim();
  if (vendor) readConfiguration(unlocated({ vendor }), () => "environment LLM_VENDOR");
  const model = models ? modelList(models) : undefined;
  if (models && model === undefined)
    throw new ConfigurationError(
      "environment LLM_MODEL",
      `expected ${configurationSchema().properties?.["model"]?.title}`,
    );
  return { ...(vendor && { vendor }), ...(model && { model }) };
}

import { defaultTimeout } from "../http/default-timeout.ts";
import { parseModelReference } from "../model-reference.ts";
import type { Environment } from "../types/environment.ts";
import { azureVersion } from "../vendors/azure-version.ts";
import { chooseModels } from "./choose-models.ts";
import type {
  AuthorConfiguration,
  Configuration,
  ConfigurationValues,
  ResolvedConfiguration,
  ResolvedModel,
  Sourced,
} from "./configuration.ts";
import { readEnvironment } from "./environment-configuration.ts";
import { authorLayer, configurationLayer, environmentLayer, flagLayer, type Layer } from "./layer.ts";
import { modelsOf } from "./model-names.ts";

/** Where a configuration may come from. */
export interface ConfigurationSources {
  /** What the command line says, of itself. */
  readonly flags?: Configuration;
  /** The variables of the user: `LLM_PROVIDER_CONFIG`, `LLM_VENDOR`, `LLM_MODEL` and the vendors' keys. */
  readonly environment: Environment;
  /** A file of YAML or JSON, relative to `cwd`. */
  readonly file?: string;
  /** Absolute. */
  readonly cwd: string;
  /** What the author of the agent says. */
  readonly author?: AuthorConfiguration;
}

/**
 * Makes one configuration of all sources, field by field, in this order: flags, `LLM_PROVIDER_CONFIG`, the file, the
 * environment, the author; where none names a model, the first vendor whose key is set, else the offline model.
 * Nothing is opened or asked. Rejects with `ConfigurationError`.
 */
export async function resolveConfiguration(sources: ConfigurationSources): Promise<ResolvedConfiguration> {
  const { environment } = sources;
  const layers = await readLayers(sources);
  const value = <Name extends keyof ConfigurationValues>(name: Name) => firstOf(layers, name);
  const stream = value("stream") ?? byDefault(true);
  return frozen({
    models: resolvedModels(layers, environment),
    temperature: value("temperature"),
    max_tokens: value("max_tokens"),
    thinking: value("thinking"),
    reasoning_effort: value("reasoning_effort"),
    stream,
    retries: value("retries") ?? byDefault(2),
    timeout: value("timeout") ?? byDefault(defaultTimeout(stream.value)),
  });
}

async function readLayers({ flags, environment, file, cwd, author }: ConfigurationSources): Promise<readonly Layer[]> {
  const inline = environment["LLM_PROVIDER_CONFIG"]?.trim();
  return [
    ...(flags === undefined ? [] : [flagLayer(flags)]),
    ...(inline ? [await inlineLayer(inline)] : []),
    ...(file === undefined ? [] : [await fileLayer(file, cwd)]),
    environmentLayer(readEnvironment(environment)),
    ...(author === undefined ? [] : [authorLayer(author)]),
  ];
}

async function inlineLayer(text: string): Promise<Layer> {
  const { readInlineConfiguration } = await import("./inline-configuration.ts");
  return configurationLayer(readInlineConfiguration(text, "LLM_PROVIDER_CONFIG"), "LLM_PROVIDER_CONFIG");
}

async function fileLayer(file: string, cwd: string): Promise<Layer> {
  const { readConfigurationFile } = await import("./file-configuration.ts");
  return configurationLayer(await readConfigurationFile(file, cwd), `config ${file}`);
}

const byDefault = <Value>(value: Value): Sourced<Value> => ({ value, origin: "default" });

function firstOf<Name extends keyof ConfigurationValues>(
  layers: readonly Layer[],
  name: Name,
): Sourced<ConfigurationValues[Name]> | undefined {
  for (const { values, origin } of layers) {
    const value: Configuration[Name] = values[name];
    if (value !== undefined) return { value, origin: origin(name) };
  }
  return undefined;
}

function resolvedModels(layers: readonly Layer[], environment: Environment): readonly ResolvedModel[] {
  const chosen = chooseModels(layers, environment);
  const mayStandIn = firstOf(layers, "offline")?.value ?? true;
  const references = chosen.length === 0 && mayStandIn ? [byDefault("offline")] : chosen;
  return references.map((reference) => resolvedModel(reference, layers, environment));
}

function resolvedModel(reference: Sourced<string>, layers: readonly Layer[], environment: Environment): ResolvedModel {
  const meant = parseModelReference(reference.value);
  const vendor = meant.provider === "vendor" ? meant.vendor.name : undefined;
  const own = layers.filter(
    (layer, index) => vendor !== undefined && vendorOf(layer, layers.slice(index + 1), environment) === vendor,
  );
  return {
    reference,
    vendor,
    api_key: firstOf(own, "api_key"),
    base_url: firstOf(own, "base_url"),
    api_version: vendor === "azure" ? (firstOf(own, "api_version") ?? azureVersion(environment)) : undefined,
  };
}

/** The vendor that a source's key and address are for; undefined where it has neither. */
function vendorOf(layer: Layer, below: readonly Layer[], environment: Environment): string | undefined {
  const { vendor, api_key: key, base_url: address, api_version: version } = layer.values;
  if (key === undefined && address === undefined && version === undefined) return undefined;
  const first = vendor === undefined ? modelsOf(layer, below, environment)[0] : undefined;
  const meant = first === undefined ? undefined : parseModelReference(first.value);
  return meant?.provider === "vendor" ? meant.vendor.name : vendor;
}

function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

import type { Environment } from "@mdx-ai/base";
import { type ModelReference, type ModelTarget, referenceText } from "../model-reference.ts";
import type { ModelParameters } from "../types/language-model.ts";
import { accessTo, type Sourced } from "../vendors/access.ts";
import { DEFAULT_TIMEOUT } from "../vendors/connection.ts";
import { chooseModels, modelsOf } from "./choose-models.ts";
import type { Configuration, ConfigurationValues, ResolvedConfiguration, ResolvedModel } from "./configuration.ts";
import { type ConfigurationSources, type Layer, readLayers } from "./layers.ts";

/**
 * Combines all sources field by field, in this order: flags, `LLM_PROVIDER_CONFIG`, the file, the environment, the author. If none names a
 * model: the first vendor whose key is set, else the offline model. Makes no requests. Rejects with `ConfigurationError`.
 */
export async function resolveConfiguration(sources: ConfigurationSources): Promise<ResolvedConfiguration> {
  const { environment } = sources;
  const layers = await readLayers(sources);
  const value = <Name extends keyof ConfigurationValues>(name: Name) => firstOf(layers, name);
  const stream = value("stream") ?? byDefault(true);
  const models = resolvedModels(layers, environment);
  const used = models.flatMap(({ target }) => (target.provider === "vendor" ? (target.access.key?.value ?? []) : []));
  return frozen({
    models,
    keys: [...layers.flatMap(({ values }) => values.api_key ?? []), ...used],
    temperature: value("temperature"),
    max_tokens: value("max_tokens"),
    thinking: value("thinking"),
    reasoning_effort: value("reasoning_effort"),
    stream,
    retries: value("retries") ?? byDefault(2),
    timeout: value("timeout") ?? byDefault(DEFAULT_TIMEOUT[stream.value ? "streaming" : "document"]),
  });
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
  const mayFallBack = firstOf(layers, "offline")?.value ?? true;
  const models = chosen.length === 0 && mayFallBack ? [byDefault({ provider: "offline" } as const)] : chosen;
  return models.map(({ value, origin }) => ({
    target: targetOf(value, layers, environment),
    reference: { value: referenceText(value), origin },
  }));
}

/** A source's keys and addresses belong to its vendor, and no other vendor receives them. */
function targetOf(meant: ModelReference, layers: readonly Layer[], environment: Environment): ModelTarget {
  if (meant.provider !== "vendor") return meant;
  const { vendor, name } = meant;
  const own = layers.filter((layer, index) => vendorOf(layer, layers.slice(index + 1), environment) === vendor.name);
  const settings = {
    api_key: firstOf(own, "api_key"),
    base_url: firstOf(own, "base_url"),
    api_version: firstOf(own, "api_version"),
    api: firstOf(own, "api"),
  };
  return { provider: "vendor", name, access: accessTo(vendor, settings, environment) };
}

/** The vendor of a source's key and address; undefined if it has neither. An interface alone belongs to OpenAI and chooses no model. */
function vendorOf(layer: Layer, below: readonly Layer[], environment: Environment): string | undefined {
  const { vendor, api_key: key, base_url: address, api_version: version, api } = layer.values;
  if ((key ?? address ?? version ?? api) === undefined) return undefined;
  const meant = vendor === undefined ? modelsOf(layer, below, environment)[0]?.value : undefined;
  if (meant?.provider === "vendor") return meant.vendor.name;
  return vendor ?? (api === undefined ? undefined : "openai");
}

function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

/** The parameters of the calls of a configuration's models. */
export function parametersOf(resolved: ResolvedConfiguration): ModelParameters {
  const { temperature, max_tokens: maxTokens, thinking, reasoning_effort: effort, stream } = resolved;
  return {
    ...(temperature !== undefined && { temperature: temperature.value }),
    ...(maxTokens !== undefined && { maxTokens: maxTokens.value }),
    ...(thinking !== undefined && { thinking: thinking.value }),
    ...(effort !== undefined && { effort: effort.value }),
    stream: stream.value,
  };
}

import type { Environment } from "@mdx-ai/base";
import { ConfigurationError, UnknownProviderError } from "../errors.ts";
import { INHERIT, type ModelReference, modelNamed, parseModelReference, referenceText } from "../model-reference.ts";
import type { Sourced } from "../vendors/access.ts";
import { detectedVendor, keyVariableOf, type Vendor, vendorNamed, vendors } from "../vendors/vendors.ts";
import type { Layer } from "./layers.ts";

/** A model chosen by a source. */
export type ChosenModel = Sourced<ModelReference>;

/**
 * The chosen models in fallback order: those of the first source that names a model or vendor; else the default model of the first vendor
 * whose key is set; else none. Throws `ConfigurationError`.
 */
export function chooseModels(layers: readonly Layer[], environment: Environment): readonly ChosenModel[] {
  const at = layers.findIndex(({ values }) => values.model !== undefined || values.vendor !== undefined);
  const layer = layers[at];
  if (layer === undefined) return detectedModel(environment);
  const below = layers.slice(at + 1);
  return layer.values.model === undefined ? modelsOfVendor(layer, below) : modelsOf(layer, below, environment);
}

function detectedModel(environment: Environment): readonly ChosenModel[] {
  const vendor = detectedVendor(environment);
  if (vendor === undefined) return [];
  const origin = `detected by ${keyVariableOf(vendor, environment)}`;
  return [{ value: defaultModel(vendor), origin }];
}

/** The models for a source that names only a vendor: those of that vendor in a weaker source, else its default. */
function modelsOfVendor(layer: Layer, below: readonly Layer[]): readonly ChosenModel[] {
  const vendor = vendorOfLayer(layer);
  const origin = layer.origin("vendor");
  if (vendor === undefined) throw new ConfigurationError(origin, `unknown vendor ${layer.values.vendor}`);
  for (const lower of below) {
    const names = namesOf(lower).filter((name) => isNameOf(name, vendor));
    const from = together(lower.origin("model"), origin);
    if (names.length > 0) return names.map((name) => ({ value: modelOf(vendor, name), origin: from }));
  }
  if (vendor.model !== "") return [{ value: defaultModel(vendor), origin }];
  const fix = `set LLM_MODEL or the field model, or pass --model ${vendor.name}/NAME`;
  throw new ConfigurationError(origin, `${vendor.name} needs a model name: ${fix}`);
}

/**
 * The models that a source names, each once. Their vendor is the source's; for a name without a vendor, the vendor of a weaker source, else
 * the fallback vendor. Throws `ConfigurationError`.
 */
export function modelsOf(layer: Layer, below: readonly Layer[], environment: Environment): readonly ChosenModel[] {
  const configuring = below.find(({ values }) => values.vendor !== undefined);
  const models = namesOf(layer).flatMap((name) =>
    layer.isAuthors && name === INHERIT
      ? detectedModel(environment)
      : chosenModel(name, { layer, configuring, environment }),
  );
  if (models.length < 2) return models;
  return [...new Map(models.map((one) => [referenceText(one.value), one])).values()];
}

interface NameContext {
  readonly layer: Layer;
  /** The weaker source that names a vendor. */
  readonly configuring: Layer | undefined;
  readonly environment: Environment;
}

function chosenModel(name: string, { layer, configuring, environment }: NameContext): ChosenModel {
  const meant = understood(name);
  const origin = layer.origin("model");
  if (!(meant instanceof Error) && meant.provider !== "vendor") return { value: meant, origin };
  const own = vendorOfLayer(layer);
  if (own !== undefined) return { value: modelOf(own, name), origin: together(origin, layer.origin("vendor")) };
  if (!(meant instanceof Error) && meant.name !== name) return { value: meant, origin };
  const maker = meant instanceof Error ? undefined : meant.vendor;
  const configured = vendorOfLayer(configuring);
  if (configured !== undefined && configuring !== undefined && (maker === undefined || servesOthers(configured))) {
    return { value: modelOf(configured, name), origin: together(origin, configuring.origin("vendor")) };
  }
  const vendor = maker ?? fallbackVendorOf(name, layer, environment);
  if (vendor !== undefined) return { value: modelOf(vendor, name), origin };
  const problem = meant instanceof Error ? meant.message : `unknown model ${name}`;
  throw new ConfigurationError(origin, problem, { cause: meant });
}

function understood(name: string): ModelReference | UnknownProviderError {
  try {
    return parseModelReference(name);
  } catch (error) {
    if (error instanceof UnknownProviderError) return error;
    throw error;
  }
}

/** The vendor that a source names, if any. */
const vendorOfLayer = (layer: Layer | undefined): Vendor | undefined => vendorNamed(layer?.values.vendor ?? "");

/** The model names of a source. */
const namesOf = ({ values }: Layer): readonly string[] => [values.model ?? []].flat().map((name) => name.trim());

/** Two origins of one value, named once if equal. */
const together = (origin: string, other: string): string => (origin === other ? origin : `${origin}, ${other}`);

const defaultModel = (vendor: Vendor): ModelReference => ({ provider: "vendor", vendor, name: vendor.model });

/** Some users repeat the vendor before the name; a few model names start with that word. */
function modelOf(vendor: Vendor, name: string): ModelReference {
  const start = `${vendor.name}/`;
  const isDoubled = name.startsWith(start) && !vendor.model.startsWith(start);
  return { provider: "vendor", vendor, name: modelNamed(vendor, isDoubled ? name.slice(start.length) : name) };
}

/** Whether a vendor serves models of any maker and thus accepts any name. */
const servesOthers = (vendor: Vendor): boolean => vendor.prefixes.length === 0;

/** Names with a slash belong to vendors that serve others' models; for other vendors they are misspelt references. */
function fallbackVendorOf(
  name: string,
  { fallbackVendor, values }: Layer,
  environment: Environment,
): Vendor | undefined {
  if (fallbackVendor === "none") return undefined;
  const hasConnection = (values.api_key ?? values.base_url ?? values.api) !== undefined;
  if (hasConnection) return vendorNamed("openai");
  const detected = vendors.find((vendor) => keyVariableOf(vendor, environment) !== undefined);
  const vendor = detected ?? (fallbackVendor === "detected or openai" ? vendorNamed("openai") : undefined);
  return vendor !== undefined && (!name.includes("/") || servesOthers(vendor)) ? vendor : undefined;
}

/** Whether a vendor may have a model with this name. */
function isNameOf(name: string, vendor: Vendor): boolean {
  const meant = understood(name);
  if (meant instanceof Error) return !name.includes("/") || servesOthers(vendor);
  if (meant.provider !== "vendor") return false;
  return meant.vendor === vendor || (meant.name === name && servesOthers(vendor));
}

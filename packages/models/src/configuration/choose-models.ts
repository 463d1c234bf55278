import { ConfigurationError } from "../errors/configuration-error.ts";
import type { Environment } from "../types/environment.ts";
import { detectedVendor, keyVariableOf } from "../vendors/detected-vendor.ts";
import type { Sourced } from "./configuration.ts";
import type { Layer } from "./layer.ts";
import { isNameOf, modelsOf, namesOf, reference, together, vendorOfLayer } from "./model-names.ts";

/**
 * The models that are meant, as references, in the order in which they are asked: those of the first source that names a
 * model or a vendor; else the default model of the first vendor whose key is set; else none. Throws `ConfigurationError`.
 */
export function chooseModels(layers: readonly Layer[], environment: Environment): readonly Sourced<string>[] {
  const at = layers.findIndex(({ values }) => values.model !== undefined || values.vendor !== undefined);
  const layer = layers[at];
  if (layer === undefined) return detectedModel(environment);
  const below = layers.slice(at + 1);
  return layer.values.model === undefined ? modelsOfVendor(layer, below) : modelsOf(layer, below, environment);
}

function detectedModel(environment: Environment): readonly Sourced<string>[] {
  const vendor = detectedVendor(environment);
  if (vendor === undefined) return [];
  const origin = `detected by ${keyVariableOf(vendor, environment)}`;
  return [{ value: `${vendor.name}/${vendor.model}`, origin }];
}

/** The models where a source names a vendor alone: what a source below names of that vendor, else its default. */
function modelsOfVendor(layer: Layer, below: readonly Layer[]): readonly Sourced<string>[] {
  const vendor = vendorOfLayer(layer);
  const origin = layer.origin("vendor");
  if (vendor === undefined) throw new ConfigurationError(origin, `there is no vendor ${layer.values.vendor}`);
  for (const lower of below) {
    const names = namesOf(lower).filter((name) => isNameOf(name, vendor));
    const from = together(lower.origin("model"), origin);
    if (names.length > 0) return names.map((name) => ({ value: reference(vendor, name), origin: from }));
  }
  if (vendor.model !== "") return [{ value: `${vendor.name}/${vendor.model}`, origin }];
  const remedy = `put it into LLM_MODEL or the field model, or write --model ${vendor.name}/NAME`;
  throw new ConfigurationError(origin, `${vendor.name} needs the name of a model: ${remedy}`);
}

import { ConfigurationError } from "../errors/configuration-error.ts";
import { UnknownProviderError } from "../errors/unknown-provider-error.ts";
import { type ModelReference, parseModelReference } from "../model-reference.ts";
import type { Environment } from "../types/environment.ts";
import { keyVariableOf } from "../vendors/detected-vendor.ts";
import type { Vendor } from "../vendors/vendor.ts";
import { vendorNamed, vendors } from "../vendors/vendor-table.ts";
import type { Sourced } from "./configuration.ts";
import type { Layer } from "./layer.ts";

/** The vendor that a source names, if any. */
export const vendorOfLayer = (layer: Layer | undefined): Vendor | undefined => vendorNamed(layer?.values.vendor ?? "");

/**
 * The models that a source names, as references, each once. A vendor of the same source is theirs; a name that tells no
 * vendor is of the vendor that a source below names, else of the vendor that the source lets guess.
 * Throws `ConfigurationError`.
 */
export function modelsOf(layer: Layer, below: readonly Layer[], environment: Environment): readonly Sourced<string>[] {
  const configuring = below.find(({ values }) => values.vendor !== undefined);
  const models = namesOf(layer).map((name) => referenceOf(name, { layer, configuring, environment }));
  return [...new Map(models.map((one) => [one.value, one])).values()];
}

/** The names of models as a source has them. */
export const namesOf = ({ values }: Layer): readonly string[] => [values.model ?? []].flat().map((name) => name.trim());

/** Two origins of one value, told once where they are the same. */
export const together = (origin: string, other: string): string => (origin === other ? origin : `${origin}, ${other}`);

interface NameContext {
  readonly layer: Layer;
  /** The source below that names a vendor. */
  readonly configuring: Layer | undefined;
  readonly environment: Environment;
}

function referenceOf(name: string, { layer, configuring, environment }: NameContext): Sourced<string> {
  const origin = layer.origin("model");
  const meant = understood(name);
  if (!(meant instanceof Error) && meant.provider !== "vendor") return { value: name, origin };
  const own = vendorOfLayer(layer);
  if (own !== undefined) return { value: reference(own, name), origin: together(origin, layer.origin("vendor")) };
  if (!(meant instanceof Error) && meant.name !== name) return { value: reference(meant.vendor, meant.name), origin };
  const maker = meant instanceof Error ? undefined : meant.vendor;
  const configured = vendorOfLayer(configuring);
  if (configured !== undefined && configuring !== undefined && (maker === undefined || servesOthers(configured))) {
    return { value: reference(configured, name), origin: together(origin, configuring.origin("vendor")) };
  }
  const vendor = maker ?? guessedVendor(name, layer, environment);
  if (vendor !== undefined) return { value: reference(vendor, name), origin };
  throw new ConfigurationError(origin, meant instanceof Error ? meant.message : `unknown model ${name}`, {
    cause: meant,
  });
}

function understood(name: string): ModelReference | UnknownProviderError {
  try {
    return parseModelReference(name);
  } catch (error) {
    if (error instanceof UnknownProviderError) return error;
    throw error;
  }
}

/** Some write the vendor before the name although it stands beside it; some vendors' names do begin with that word. */
export function reference(vendor: Vendor, name: string): string {
  const start = `${vendor.name}/`;
  return name.startsWith(start) && !vendor.model.startsWith(start) ? name : start + name;
}

/** Whether a vendor serves models of any maker, so that no name is foreign to it. */
const servesOthers = (vendor: Vendor): boolean => vendor.prefixes.length === 0;

/** Names with a slash are those of vendors that serve others' models; for any other they are misspelt references. */
function guessedVendor(name: string, { guess, values }: Layer, environment: Environment): Vendor | undefined {
  if (guess === "none") return undefined;
  const hasConnection = values.api_key !== undefined || values.base_url !== undefined;
  if (hasConnection) return vendorNamed("openai");
  const detected = vendors.find((vendor) => keyVariableOf(vendor, environment) !== undefined);
  const vendor = detected ?? (guess === "detected or openai" ? vendorNamed("openai") : undefined);
  return vendor !== undefined && (!name.includes("/") || servesOthers(vendor)) ? vendor : undefined;
}

/** Whether a name may be one of a vendor's models. */
export function isNameOf(name: string, vendor: Vendor): boolean {
  const meant = understood(name);
  if (meant instanceof Error) return !name.includes("/") || servesOthers(vendor);
  if (meant.provider !== "vendor") return false;
  return meant.vendor === vendor || (meant.name === name && servesOthers(vendor));
}

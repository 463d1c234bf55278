import type { Environment } from "../types/environment.ts";
import { keyVariableOf } from "../vendors/detected-vendor.ts";
import type { Vendor } from "../vendors/vendor.ts";
import { vendorNamed, vendors } from "../vendors/vendor-table.ts";
import type { ResolvedConfiguration, ResolvedModel, Sourced } from "./configuration.ts";

/** How things stand with a vendor; holds no key. */
export interface VendorStatus {
  readonly name: string;
  /** The model where only the vendor is named; empty where there is none that everybody has. */
  readonly model: string;
  /** "none" where the vendor asks for none. */
  readonly key: "set" | "not set" | "none";
  /** Where the key comes from, or the variable that should hold it; undefined where none is asked for. */
  readonly keyOrigin: string | undefined;
  /** Where it is not the usual one: without what may be secret in it; "" where the user must give one and did not. */
  readonly address: Sourced<string> | undefined;
}

/** How things stand with every vendor, in the order in which their keys are looked for. */
export const vendorStatuses = (resolved: ResolvedConfiguration, environment: Environment): readonly VendorStatus[] =>
  vendors.map((vendor) => {
    const model = resolved.models.find((one) => one.vendor === vendor.name);
    const variable = keyVariableOf(vendor, environment);
    const origin = model?.api_key?.origin ?? (variable === undefined ? undefined : `environment ${variable}`);
    return {
      name: vendor.name,
      model: vendor.model,
      key: origin !== undefined ? "set" : vendor.keyVariables.length > 0 ? "not set" : "none",
      keyOrigin: origin ?? vendor.keyVariables[0],
      address: addressOf(vendor, model, environment),
    };
  });

function addressOf(
  vendor: Vendor,
  model: ResolvedModel | undefined,
  environment: Environment,
): VendorStatus["address"] {
  const { urlVariable } = vendor;
  const stated = environment[urlVariable]?.trim();
  const address = model?.base_url ?? (stated ? { value: stated, origin: `environment ${urlVariable}` } : undefined);
  if (address !== undefined) return { ...address, value: shownAddress(address.value) };
  return vendor.url === "" ? { value: "", origin: urlVariable } : undefined;
}

/** An address without user, password and query. */
function shownAddress(address: string): string {
  const url = URL.parse(address);
  return url === null ? "no URL" : url.origin + url.pathname.replace(/\/+$/, "");
}

/** The variables that a model needs and that are not set; empty where nothing is missing. */
export function missingFor(model: ResolvedModel, environment: Environment): readonly string[] {
  const vendor = vendorNamed(model.vendor ?? "");
  if (vendor === undefined) return [];
  const [variable] = vendor.keyVariables;
  const needsKey = model.api_key === undefined && keyVariableOf(vendor, environment) === undefined;
  const needsAddress = vendor.url === "" && model.base_url === undefined && !environment[vendor.urlVariable]?.trim();
  return [...(needsKey && variable !== undefined ? [variable] : []), ...(needsAddress ? [vendor.urlVariable] : [])];
}

import type { Environment } from "../types/environment.ts";
import type { Vendor } from "./vendor.ts";
import { vendors } from "./vendor-table.ts";

/** The first of a vendor's key variables that is set. */
export const keyVariableOf = ({ keyVariables }: Vendor, environment: Environment): string | undefined =>
  keyVariables.find((variable) => environment[variable]?.trim());

/** The first vendor with a default model whose key is set: the one that is meant where nobody says. */
export const detectedVendor = (environment: Environment): Vendor | undefined =>
  vendors.find((vendor) => vendor.model !== "" && keyVariableOf(vendor, environment) !== undefined);

import type { Environment } from "@mdx-ai/base";
import { type Access, accessTo, type Sourced } from "../vendors/access.ts";
import { vendors } from "../vendors/vendors.ts";
import { accessOf, type ResolvedConfiguration } from "./configuration.ts";

/** A vendor's status. Contains no key. */
export interface VendorStatus {
  readonly name: string;
  /** The default model; empty if the vendor has none that all users can use. */
  readonly model: string;
  /** "none" if the vendor needs no key. */
  readonly key: "set" | "not set" | "none";
  /** The source of the key, or its missing variable; undefined if the vendor needs none. */
  readonly keyOrigin: string | undefined;
  /** Set if it differs from the default, without possible secrets; "" if the user must set it. */
  readonly address: Sourced<string> | undefined;
}

/** The status of every vendor, in the order their keys are looked up. */
export const vendorStatuses = (resolved: ResolvedConfiguration, environment: Environment): readonly VendorStatus[] =>
  vendors.map((vendor) => {
    const used = resolved.models.map(accessOf).find((access) => access?.vendor === vendor);
    return statusOf(used ?? accessTo(vendor, {}, environment));
  });

function statusOf({ vendor, key, address }: Access): VendorStatus {
  const noKey = vendor.keyVariables.length > 0 ? "not set" : "none";
  const noAddress = vendor.url === "" ? { value: "", origin: vendor.urlVariable } : undefined;
  return {
    name: vendor.name,
    model: vendor.model,
    key: key === undefined ? noKey : "set",
    keyOrigin: key?.origin ?? vendor.keyVariables[0],
    address: address === undefined ? noAddress : { value: shownAddress(address.value), origin: address.origin },
  };
}

/** An address without user, password and query. */
function shownAddress(address: string): string {
  const url = URL.parse(address);
  return url === null ? "no URL" : url.origin + url.pathname.replace(/\/+$/, "");
}

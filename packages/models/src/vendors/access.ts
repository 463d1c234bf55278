import type { Environment } from "@mdx-ai/base";
import { keyVariableOf, type Vendor } from "./vendors.ts";

/** OpenAI's two interfaces: chat completions, which many servers have, and responses, its newer one. */
export type Api = "chat" | "responses";

/** A value with its source, such as "flag --model", "config my.yaml" or "detected by OPENAI_API_KEY". */
export interface Sourced<Value> {
  readonly value: Value;
  readonly origin: string;
}

/** Connection settings from a configuration; they override the environment. */
export interface AccessSettings {
  readonly api_key?: Sourced<string> | undefined;
  readonly base_url?: Sourced<string> | undefined;
  readonly api_version?: Sourced<string> | undefined;
  readonly api?: Sourced<Api> | undefined;
}

/** A setting and its name. */
interface Found extends Sourced<string> {
  /** The variable or configuration field, for messages. */
  readonly name: string;
}

/** How to reach a vendor, as configured. Not validated yet. */
export interface Access {
  readonly vendor: Vendor;
  /** Secret; never show it. Absent if not set. */
  readonly key: Found | undefined;
  /** Absent for the vendor's default address. */
  readonly address: Found | undefined;
  /** Azure's API version; absent for other vendors. */
  readonly apiVersion: Sourced<string> | undefined;
  /** The configured OpenAI interface, if any. */
  readonly api: Sourced<Api> | undefined;
  /** Required variables that are not set. */
  readonly missing: readonly string[];
}

/** Finds a vendor's key, address and version in the settings, then in the environment. Never throws. */
export function accessTo(vendor: Vendor, settings: AccessSettings, environment: Environment): Access {
  const keyVariable = keyVariableOf(vendor, environment);
  const key = found("api_key", settings.api_key) ?? variable(keyVariable, environment);
  const address = found("base_url", settings.base_url) ?? variable(vendor.urlVariable, environment);
  const missingKey = key === undefined ? vendor.keyVariables.slice(0, 1) : [];
  const missingAddress = address === undefined && vendor.url === "" ? [vendor.urlVariable] : [];
  return {
    vendor,
    key,
    address,
    apiVersion: vendor.protocol === "azure" ? azureVersion(settings, environment) : undefined,
    api: settings.api,
    missing: [...missingKey, ...missingAddress],
  };
}

/** Ignores white space around the value. */
function found(name: string, setting: Sourced<string> | undefined): Found | undefined {
  const value = setting?.value.trim();
  return setting !== undefined && value ? { value, origin: setting.origin, name } : undefined;
}

function variable(name: string | undefined, environment: Environment): Found | undefined {
  const value = name === undefined ? undefined : environment[name]?.trim();
  return name !== undefined && value ? { value, origin: `environment ${name}`, name } : undefined;
}

function azureVersion(settings: AccessSettings, environment: Environment): Sourced<string> {
  const own = settings.api_version ?? variable("AZURE_OPENAI_API_VERSION", environment);
  return own === undefined ? { value: "2024-02-01", origin: "default" } : { value: own.value, origin: own.origin };
}

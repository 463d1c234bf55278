import type { Environment } from "@mdx-ai/base";
import { keyVariableOf, type Vendor } from "./vendors.ts";

/** OpenAI's two interfaces for answers: chat completions, which many servers have, and its own newer one. */
export type Api = "chat" | "responses";

/** A value and its source, such as "flag --model", "config my.yaml" or "detected by OPENAI_API_KEY". */
export interface Sourced<Value> {
  readonly value: Value;
  readonly origin: string;
}

/** What a configuration says of the way to a vendor; it takes precedence over the environment. */
export interface AccessSettings {
  readonly api_key?: Sourced<string> | undefined;
  readonly base_url?: Sourced<string> | undefined;
  readonly api_version?: Sourced<string> | undefined;
  readonly api?: Sourced<Api> | undefined;
}

/** A setting that was found. */
interface Found extends Sourced<string> {
  /** For messages: the variable that holds it, or the field of the configuration. */
  readonly name: string;
}

/** How a vendor is reached, as the user says it. Nothing is checked yet. */
export interface Access {
  readonly vendor: Vendor;
  /** Secret: never to be shown. Absent if none is set. */
  readonly key: Found | undefined;
  /** Absent if it is the vendor's own address. */
  readonly address: Found | undefined;
  /** The version of Azure's interface; absent for other vendors. */
  readonly apiVersion: Sourced<string> | undefined;
  /** Which of OpenAI's interfaces is asked, if a configuration says so. */
  readonly api: Sourced<Api> | undefined;
  /** The variables that are needed and not set. */
  readonly missing: readonly string[];
}

/** Finds the key, the address and the version for a vendor: in the settings, then in the environment. Never throws. */
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

/** White space around a value does not count. */
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

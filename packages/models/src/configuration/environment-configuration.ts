import { ConfigurationError } from "../errors/configuration-error.ts";
import type { Environment } from "../types/environment.ts";
import type { Configuration } from "./configuration.ts";
import { fields } from "./fields.ts";
import { modelList } from "./model-list.ts";
import { vendorHint } from "./read-fields.ts";

/** Reads `LLM_VENDOR` and `LLM_MODEL`. Throws `ConfigurationError`. */
export function readEnvironment(environment: Environment): Configuration {
  const vendor = environment["LLM_VENDOR"]?.trim();
  const models = environment["LLM_MODEL"]?.trim();
  if (vendor && fields.vendor.read(vendor) === undefined) {
    const problem = `unexpected ${JSON.stringify(vendor)}, expected ${fields.vendor.expected}${vendorHint(vendor)}`;
    throw new ConfigurationError("environment LLM_VENDOR", problem);
  }
  const model = models ? modelList(models) : undefined;
  if (models && model === undefined)
    throw new ConfigurationError("environment LLM_MODEL", `expected ${fields.model.expected}`);
  return { ...(vendor && { vendor }), ...(model && { model }) };
}

import {
  type Environment,
  missingFor,
  type ResolvedConfiguration,
  type ResolvedModel,
  type Sourced,
  type VendorStatus,
  vendorStatuses,
} from "@mdx-ai/models";

/** A model that would be asked. */
export interface ReportedModel {
  readonly reference: string;
  readonly origin: string;
  /** Missing variables that it needs. */
  readonly missing: readonly string[];
  /** The version of Azure's interface. */
  readonly api_version?: Sourced<string>;
}

/** Which models would be asked and how, and the source of each setting. Holds no key. */
export interface ModelsReport {
  /** In the order in which they are asked; empty if none is configured. */
  readonly models: readonly ReportedModel[];
  /** By the names of a configuration; only those that are set. */
  readonly settings: Readonly<Record<string, Sourced<unknown>>>;
  readonly vendors: readonly VendorStatus[];
}

export function modelsReport(resolved: ResolvedConfiguration, environment: Environment): ModelsReport {
  const { temperature, max_tokens, thinking, reasoning_effort, stream, retries, timeout } = resolved;
  const settings = { temperature, max_tokens, thinking, reasoning_effort, stream, retries, timeout };
  return {
    models: resolved.models.map((model) => reported(model, environment)),
    settings: Object.fromEntries(
      Object.entries(settings).flatMap(([name, one]) => (one === undefined ? [] : [[name, one]])),
    ),
    vendors: vendorStatuses(resolved, environment),
  };
}

const reported = (model: ResolvedModel, environment: Environment): ReportedModel => ({
  reference: model.reference.value,
  origin: model.reference.origin,
  missing: missingFor(model, environment),
  ...(model.api_version && { api_version: model.api_version }),
});

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
  /** Variables that it needs and that are not set. */
  readonly missing: readonly string[];
  /** Azure's version of its interface. */
  readonly api_version?: Sourced<string>;
}

/** Which models would be asked and how, and where each word of that came from. Holds no key. */
export interface ModelsReport {
  /** In the order in which they are asked; empty where none is configured. */
  readonly models: readonly ReportedModel[];
  /** By the names of a configuration; what is not set is not there. */
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

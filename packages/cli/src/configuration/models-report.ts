import {
  accessOf,
  type Environment,
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
    models: resolved.models.map((model) => reported(model)),
    settings: Object.fromEntries(
      Object.entries(settings).flatMap(([name, one]) => (one === undefined ? [] : [[name, one]])),
    ),
    vendors: vendorStatuses(resolved, environment),
  };
}

function reported(model: ResolvedModel): ReportedModel {
  const access = accessOf(model);
  return {
    reference: model.reference.value,
    origin: model.reference.origin,
    missing: access?.missing ?? [],
    ...(access?.apiVersion && { api_version: access.apiVersion }),
  };
}

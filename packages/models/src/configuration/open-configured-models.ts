import { MissingKeyError } from "../errors/missing-key-error.ts";
import { NoModelError } from "../errors/no-model-error.ts";
import { type OpenModelOptions, openModel } from "../open-model.ts";
import type { LanguageModel } from "../types/language-model.ts";
import type { ResolvedConfiguration, ResolvedModel } from "./configuration.ts";
import { missingFor } from "./vendor-status.ts";

/** What of opening a model is no matter of configuration. */
export type OpenConfiguredOptions = Pick<OpenModelOptions, "environment" | "cwd" | "packageFolders">;

/** The models of a configuration, open. */
export interface ConfiguredModels {
  readonly model: LanguageModel;
  /** Asked in this order where the model is unavailable. */
  readonly fallbacks: readonly LanguageModel[];
  /** What a user should know: one line each, no newline. */
  readonly notices: readonly string[];
}

/**
 * Opens the models of a configuration. Of several, one whose key is not set is left out, with a notice. Rejects as
 * `openModel` does, and with `NoModelError` where none is configured and the offline model may not stand in.
 */
export async function openConfiguredModels(
  resolved: ResolvedConfiguration,
  options: OpenConfiguredOptions,
): Promise<ConfiguredModels> {
  const attempts = await Promise.all(resolved.models.map((one) => attempt(one, resolved, options)));
  const [model, ...fallbacks] = attempts.flatMap((one) => ("model" in one ? [one.model] : []));
  const leftOut = attempts.flatMap((one) => ("model" in one ? [] : [one]));
  if (model === undefined) throw leftOut[0]?.error ?? new NoModelError();
  return { model, fallbacks, notices: leftOut.map(({ notice }) => notice) };
}

type Attempt = { readonly model: LanguageModel } | { readonly error: unknown; readonly notice: string };

async function attempt(
  one: ResolvedModel,
  resolved: ResolvedConfiguration,
  options: OpenConfiguredOptions,
): Promise<Attempt> {
  try {
    return { model: await open(one, resolved, options) };
  } catch (error) {
    const missing = missingFor(one, options.environment);
    if (missing.length === 0 && !(error instanceof MissingKeyError)) throw error;
    return { error, notice: `${one.reference.value} is left out: ${reasonOf(error, missing)}` };
  }
}

function reasonOf(error: unknown, missing: readonly string[]): string {
  if (missing.length === 0) return error instanceof MissingKeyError ? `${error.variable} holds no key` : String(error);
  return `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not set`;
}

function open(
  { reference, api_key: key, base_url: address, api_version: version }: ResolvedModel,
  { timeout }: ResolvedConfiguration,
  options: OpenConfiguredOptions,
): Promise<LanguageModel> {
  return openModel(reference.value, {
    ...options,
    timeout: timeout.value,
    ...(key && { apiKey: key.value }),
    ...(address && { baseUrl: address.value }),
    ...(version && { apiVersion: version.value }),
  });
}

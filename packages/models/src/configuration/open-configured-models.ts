import { MissingKeyError, NoModelError } from "../errors.ts";
import { type OpeningOptions, openTarget } from "../open-model.ts";
import type { LanguageModel } from "../types/language-model.ts";
import { accessOf, type ResolvedConfiguration, type ResolvedModel } from "./configuration.ts";

/** Options for opening models that are not part of the configuration. */
export type OpenConfiguredOptions = Omit<OpeningOptions, "timeout">;

/** The opened models of a configuration. */
export interface ConfiguredModels {
  readonly model: LanguageModel;
  /** Used in this order if the model is unavailable. */
  readonly fallbacks: readonly LanguageModel[];
  /** Notes for the user, one line each. */
  readonly notices: readonly string[];
}

/**
 * Opens the models of a configuration. If there are several, skips those without a key and adds a notice. Rejects as `openModel` does, and
 * with `NoModelError` if none is configured and the offline model is disabled.
 */
export async function openConfiguredModels(
  resolved: ResolvedConfiguration,
  options: OpenConfiguredOptions,
): Promise<ConfiguredModels> {
  const opening = { ...options, timeout: resolved.timeout.value };
  const attempts = await Promise.all(resolved.models.map((one) => attempt(one, opening)));
  const [model, ...fallbacks] = attempts.flatMap((one) => ("model" in one ? [one.model] : []));
  const leftOut = attempts.flatMap((one) => ("model" in one ? [] : [one]));
  if (model === undefined) throw leftOut[0]?.error ?? new NoModelError();
  return { model, fallbacks, notices: leftOut.map(({ notice }) => notice) };
}

type Attempt = { readonly model: LanguageModel } | { readonly error: unknown; readonly notice: string };

async function attempt(one: ResolvedModel, options: OpeningOptions): Promise<Attempt> {
  try {
    return { model: await openTarget(one.target, options) };
  } catch (error) {
    const missing = accessOf(one)?.missing ?? [];
    if (missing.length === 0 && !(error instanceof MissingKeyError)) throw error;
    return { error, notice: `${one.reference.value} is left out: ${reasonOf(error, missing)}` };
  }
}

function reasonOf(error: unknown, missing: readonly string[]): string {
  if (missing.length === 0)
    return error instanceof MissingKeyError ? `${error.variable} contains no key` : String(error);
  return `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not set`;
}

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
  const { environment } = options;
  const usable = resolved.models.filter((model) => missingFor(model, environment).length === 0);
  // Where nothing is usable, the first one's failure says what to do.
  const chosen = usable.length > 0 ? usable : resolved.models.slice(0, 1);
  const opened = await Promise.all(chosen.map((one) => open(one, resolved, options)));
  const [model, ...fallbacks] = opened;
  if (model === undefined) throw new NoModelError();
  const leftOut = usable.length > 0 ? resolved.models.filter((one) => !usable.includes(one)) : [];
  const notices = leftOut.map(
    (one) => `${one.reference.value} is left out: ${missingFor(one, environment).join(" and ")} not set`,
  );
  return { model, fallbacks, notices };
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

import type { Environment } from "@mdx-ai/base";
import { accessOf, type ResolvedConfiguration, type ResolvedModel } from "./configuration/configuration.ts";
import { MissingKeyError, NoModelError } from "./errors.ts";
import { type ModelTarget, parseModelReference } from "./model-reference.ts";
import type { ModelFacts } from "./prices/model-facts.ts";
import { refusedParameters } from "./refused-parameters.ts";
import type { LanguageModel, ModelParameters } from "./types/language-model.ts";
import { type Access, type Api, accessTo, type Sourced } from "./vendors/access.ts";
import { type Connection, connect } from "./vendors/connection.ts";
import { detectedVendor } from "./vendors/vendors.ts";

/** Options for requests to a model, apart from the connection to its vendor. */
interface OpeningOptions {
  /** The user's variables, which locate the user's price table. Default: `process.env`. */
  readonly environment?: Environment;
  /** The base of relative script paths. Default: the current folder. Absolute. */
  readonly cwd?: string;
  /** Folders whose `node_modules` may contain AI SDK providers. Default: none. Absolute. */
  readonly packageFolders?: readonly string[];
  /** Seconds of silence after which an answer counts as broken. Default: 120, or 600 without streaming. */
  readonly timeout?: number;
}

export interface OpenModelOptions extends OpeningOptions {
  /** Overrides the vendor's variable. */
  readonly apiKey?: string;
  /** Overrides the vendor's variable. */
  readonly baseUrl?: string;
  /** Azure's API version. Default: `AZURE_OPENAI_API_VERSION`, else 2024-02-01. */
  readonly apiVersion?: string;
  /** Which OpenAI interface to use. Default: by model name. Only for the vendor `openai`. */
  readonly api?: Api;
}

/**
 * Opens the model of a reference: `vendor/NAME` (anthropic, openai, azure, gemini, mistral, openrouter, groq, deepseek, xai, ollama), a
 * name with a vendor's prefix such as `claude-…`, `ai-sdk:PACKAGE#NAME`, `script:FILE` or `offline`. Without a reference: the default model
 * of the first vendor whose key is set, else offline. Rejects with `UnknownProviderError`, `MissingKeyError`, `ModelScriptError`, or
 * `ModelError` or `ConfigurationError` for an invalid setting.
 */
export async function openModel(reference?: string, options: OpenModelOptions = {}): Promise<LanguageModel> {
  const { environment = process.env, apiKey, baseUrl, apiVersion, api } = options;
  const meant = parseModelReference(reference ?? detectedVendor(environment)?.name ?? "offline");
  if (meant.provider !== "vendor") return openTarget(meant, options);
  const settings = {
    api_key: option(apiKey),
    base_url: option(baseUrl),
    api_version: option(apiVersion),
    api: option(api),
  };
  return openTarget({ ...meant, access: accessTo(meant.vendor, settings, environment) }, options);
}

const option = <Value extends string>(value: Value | undefined): Sourced<Value> | undefined =>
  value === undefined ? undefined : { value, origin: "option" };

/** Opens a model whose reference is already parsed. Rejects as `openModel` does, except for references. */
async function openTarget(target: ModelTarget, options: OpeningOptions): Promise<LanguageModel> {
  const { cwd = process.cwd(), packageFolders: folders = [], timeout } = options;
  switch (target.provider) {
    case "vendor":
      return openVendorModel(target.access, target.name, options);
    case "ai-sdk": {
      const { openPackageModel } = await import("./ai-sdk/open-package-model.ts");
      return openPackageModel(target.package, target.name, { folders, ...(timeout !== undefined && { timeout }) });
    }
    case "script": {
      const { openScriptModel } = await import("./script/script-model.ts");
      return openScriptModel(target.file, cwd);
    }
    case "offline": {
      const { openOfflineModel } = await import("./offline/offline-model.ts");
      return openOfflineModel();
    }
  }
}

async function openVendorModel(
  access: Access,
  name: string,
  { environment = process.env, timeout }: OpeningOptions,
): Promise<LanguageModel> {
  const connection = connect(access, name, timeout);
  const { modelFacts, readPrices } = await import("./prices/index.ts");
  // The caller that computes costs warns about an unusable price table.
  const facts = modelFacts(connection.vendor, connection.model, await readPrices(environment, () => {}));
  const refuses = (parameters: ModelParameters): readonly string[] => refusedParameters(connection, parameters);
  return { ...(await openConnection(connection, facts)), supportsTools: facts.tools !== false, refuses };
}

async function openConnection(connection: Connection, facts: ModelFacts): Promise<LanguageModel> {
  switch (connection.protocol) {
    case "anthropic": {
      const { openAnthropicModel } = await import("./anthropic/anthropic-model.ts");
      return openAnthropicModel(connection, facts);
    }
    case "responses": {
      const { openResponsesModel } = await import("./responses/responses-model.ts");
      return openResponsesModel(connection, facts);
    }
    case "chat": {
      const { openOpenAiModel } = await import("./openai/openai-model.ts");
      return openOpenAiModel(connection, facts);
    }
  }
}

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

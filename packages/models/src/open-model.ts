import { type ConnectionSettings, readConnection } from "./http/connection.ts";
import { parseModelReference } from "./model-reference.ts";
import type { Environment } from "./types/environment.ts";
import type { LanguageModel } from "./types/language-model.ts";
import { azureVersion } from "./vendors/azure-version.ts";
import { detectedVendor } from "./vendors/detected-vendor.ts";
import type { Vendor } from "./vendors/vendor.ts";

export interface OpenModelOptions extends ConnectionSettings {
  /** The variables of the user. */
  readonly environment: Environment;
  /** What the path of a script is relative to; default the current folder of the process. Absolute. */
  readonly cwd?: string;
  /** Folders whose `node_modules` may hold the packages of AI SDK providers; none by default. Absolute. */
  readonly packageFolders?: readonly string[];
  /** Azure's version of its interface; else `AZURE_OPENAI_API_VERSION`, else 2024-02-01. */
  readonly apiVersion?: string;
}

/**
 * Opens the model that a reference names: `vendor/NAME` (anthropic, openai, azure, gemini, mistral, openrouter, groq,
 * deepseek, xai, ollama), a name that tells its vendor such as `claude-…`, `ai-sdk:PACKAGE#NAME`, `script:FILE` or
 * `offline`. Without a reference: the default model of the first vendor whose key is set, else offline.
 * Rejects with `UnknownProviderError`, `MissingKeyError`, `ModelScriptError`, or `ModelError` for a bad setting.
 */
export async function openModel(reference: string | undefined, options: OpenModelOptions): Promise<LanguageModel> {
  const model = parseModelReference(reference ?? detectedVendor(options.environment)?.name ?? "offline");
  const cwd = options.cwd ?? process.cwd();
  switch (model.provider) {
    case "vendor":
      return openVendorModel(model.vendor, model.name, options);
    case "ai-sdk": {
      const { openPackageModel } = await import("./ai-sdk/open-package-model.ts");
      const { packageFolders: folders = [], timeout } = options;
      return openPackageModel(model.package, model.name, { folders, ...(timeout !== undefined && { timeout }) });
    }
    case "script": {
      const { openScriptModel } = await import("./script/script-model.ts");
      return openScriptModel(model.file, cwd);
    }
    case "offline": {
      const { openOfflineModel } = await import("./offline/offline-model.ts");
      return openOfflineModel();
    }
  }
}

async function openVendorModel(vendor: Vendor, name: string, options: OpenModelOptions): Promise<LanguageModel> {
  const connection = readConnection(vendor, options, options.environment);
  switch (vendor.protocol) {
    case "anthropic": {
      const { openAnthropicModel } = await import("./anthropic/anthropic-model.ts");
      return openAnthropicModel(name, connection);
    }
    case "openai": {
      const { openOpenAiModel } = await import("./openai/openai-model.ts");
      return openOpenAiModel(name, connection);
    }
    case "azure": {
      const { openAzureModel } = await import("./openai/azure-model.ts");
      return openAzureModel(name, connection, options.apiVersion ?? azureVersion(options.environment).value);
    }
  }
}

import { parseModelReference } from "./model-reference.ts";
import type { Environment } from "./types/environment.ts";
import type { LanguageModel } from "./types/language-model.ts";

export interface OpenModelOptions {
  /** The variables of the user. */
  readonly environment: Environment;
  /** What the path of a script is relative to; default the current folder of the process. Absolute. */
  readonly cwd?: string;
}

/**
 * Opens the model that a reference names: `anthropic/NAME`, a bare `claude-…`, `script:FILE` or `offline`.
 * Without a reference: Anthropic's default model where `ANTHROPIC_API_KEY` is set, else offline.
 * Rejects with `UnknownProviderError`, `MissingKeyError`, `ModelScriptError`, or `ModelError` for a bad setting.
 */
export async function openModel(reference: string | undefined, options: OpenModelOptions): Promise<LanguageModel> {
  const model = parseModelReference(reference ?? detectedReference(options.environment));
  switch (model.provider) {
    case "anthropic": {
      const { openAnthropicModel } = await import("./anthropic/anthropic-model.ts");
      return openAnthropicModel(model.name, options.environment);
    }
    case "script": {
      const { openScriptModel } = await import("./script/script-model.ts");
      return openScriptModel(model.file, options.cwd ?? process.cwd());
    }
    case "offline": {
      const { openOfflineModel } = await import("./offline/offline-model.ts");
      return openOfflineModel();
    }
  }
}

function detectedReference(environment: Environment): string {
  return environment["ANTHROPIC_API_KEY"]?.trim() ? "anthropic" : "offline";
}

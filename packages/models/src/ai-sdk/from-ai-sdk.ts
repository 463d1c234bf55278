import type { JsonObject } from "@mdx-ai/base";
import { Adaptations } from "../adaptations/adaptations.ts";
import { ModelError } from "../errors.ts";
import type { ToolSchemas } from "../schemas/tool-schemas.ts";
import type { LanguageModel } from "../types/language-model.ts";
import { DEFAULT_TIMEOUT } from "../vendors/connection.ts";
import { type AiSdkModel, isAiSdkModel, versionOf } from "./ai-sdk-model.ts";

/** Options for an AI SDK model beyond the request. */
export interface AiSdkOptions {
  /** Seconds of silence after which an answer counts as broken. Default: 120, or 600 without streaming. */
  readonly timeout?: number;
  /** Passed to the provider unchanged, by provider name, such as `{anthropic: {…}}`. */
  readonly providerOptions?: { readonly [provider: string]: JsonObject };
  /** Texts to redact from messages, such as the key. Anything that looks like a key is always redacted. */
  readonly secrets?: readonly string[];
}

/**
 * Wraps a model of any AI SDK provider (`LanguageModelV2` to `V4`). Sends one request per answer; the provider may retry on its own. Its
 * `provider` is "ai-sdk:" and the provider's name. Throws `ModelError` for other values.
 *
 * @example
 * ```ts
 * import { createAnthropic } from "@ai-sdk/anthropic";
 * const model = fromAiSdk(createAnthropic({ apiKey })("claude-sonnet-4-5"), { secrets: [apiKey] });
 * ```
 */
export function fromAiSdk(model: AiSdkModel, options: AiSdkOptions = {}): LanguageModel {
  if (!isAiSdkModel(model)) throw new ModelError("not a language model of the AI SDK");
  const origin = { model, version: versionOf(model), provider: `ai-sdk:${model.provider}`, name: model.modelId };
  const { timeout, providerOptions = {}, secrets = [] } = options;
  const adaptations = new Adaptations([]);
  let schemas: ToolSchemas | undefined;
  return {
    provider: origin.provider,
    name: origin.name,
    async *stream(request, signal) {
      const { askAiSdk, toolSchemasFor } = await import("./ask-ai-sdk.ts");
      schemas ??= toolSchemasFor(origin);
      const isStreaming = request.stream !== false;
      const silence = 1000 * (timeout ?? DEFAULT_TIMEOUT[isStreaming ? "streaming" : "document"]);
      yield* askAiSdk({ ...origin, schemas }, adaptations.request(request), {
        signal,
        silence,
        providerOptions,
        secrets,
        adaptations,
      });
    },
  };
}

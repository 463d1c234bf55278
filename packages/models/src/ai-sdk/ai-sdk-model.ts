import { isRecord } from "@mdx-ai/base";
import { ModelError } from "../errors.ts";

/**
 * The used part of an AI SDK language model (`LanguageModelV2`, `V3` and `V4` of `@ai-sdk/provider`). Declared here, so that models of any
 * version fit and our types need no package. Its results are validated before use.
 */
export interface AiSdkModel {
  /** The interface version, such as "v4". */
  readonly specificationVersion: string;
  /** For example "anthropic.messages". */
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: object): PromiseLike<unknown>;
  doStream(options: object): PromiseLike<unknown>;
}

const versions = ["v2", "v3", "v4"] as const;

/** The supported interfaces. */
export type AiSdkVersion = (typeof versions)[number];

/** The model's version. Throws `ModelError` if the version is not supported. */
export function versionOf({ specificationVersion, modelId }: AiSdkModel): AiSdkVersion {
  const version = versions.find((known) => known === specificationVersion);
  if (version !== undefined) return version;
  throw new ModelError(
    `the AI SDK model ${modelId} has version ${JSON.stringify(specificationVersion)} of the interface; ${versions.join(", ")} are supported. Is its package up to date?`,
  );
}

/** Whether a value looks like an AI SDK language model of any version. */
export function isAiSdkModel(value: unknown): value is AiSdkModel {
  return (
    isRecord(value) &&
    typeof value["provider"] === "string" &&
    typeof value["modelId"] === "string" &&
    typeof value["doGenerate"] === "function" &&
    typeof value["doStream"] === "function"
  );
}

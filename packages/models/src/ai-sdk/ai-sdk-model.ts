import { isRecord } from "@mdx-ai/base";
import { ModelError } from "../errors.ts";

/**
 * The parts used of a language model of an AI SDK provider: `LanguageModelV2`, `LanguageModelV3` and `LanguageModelV4` of
 * `@ai-sdk/provider` have it. It is declared here so that a model of any version of that package fits, and
 * so that our own types need no package; what comes out of one is checked before it is used.
 */
export interface AiSdkModel {
  /** Which of these interfaces it has, such as "v4". */
  readonly specificationVersion: string;
  /** Such as "anthropic.messages". */
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

/** Whether a value has the parts of a language model of the AI SDK, of whatever version. */
export function isAiSdkModel(value: unknown): value is AiSdkModel {
  return (
    isRecord(value) &&
    typeof value["provider"] === "string" &&
    typeof value["modelId"] === "string" &&
    typeof value["doGenerate"] === "function" &&
    typeof value["doStream"] === "function"
  );
}

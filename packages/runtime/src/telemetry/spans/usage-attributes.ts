import type { Usage } from "@mdx-ai/models";
import type { Attributes } from "@opentelemetry/api";
import { ATTRIBUTE } from "../conventions.ts";

/** All tokens that went in, cached ones among them. */
export const inputTokens = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite;

/** Whether a provider has counted: what we estimate is not told as its count. */
export const isCounted = (usage: Usage): boolean => !usage.estimated && inputTokens(usage) + usage.output > 0;

/** What a usage is called on a span; nothing where nobody has counted. */
export function usageAttributes(usage: Usage): Attributes {
  if (!isCounted(usage)) return {};
  return {
    [ATTRIBUTE.inputTokens]: inputTokens(usage),
    [ATTRIBUTE.outputTokens]: usage.output,
    ...(usage.cacheRead > 0 && { [ATTRIBUTE.cacheReadTokens]: usage.cacheRead }),
    ...(usage.cacheWrite > 0 && { [ATTRIBUTE.cacheCreationTokens]: usage.cacheWrite }),
    ...(usage.thinking > 0 && { [ATTRIBUTE.reasoningTokens]: usage.thinking }),
  };
}

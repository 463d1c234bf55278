import type { Dialect } from "./dialect.ts";
import {
  deepSeekThinking,
  effortFields,
  geminiThinking,
  openAiTakesTemperature,
  openAiThinking,
  openRouterThinking,
} from "./thinking-fields.ts";

/** What most servers of this protocol have in common. Servers of others know `max_tokens`, if only that. */
const usual: Dialect = {
  tokenLimit: "max_tokens",
  countsWhenAsked: true,
  callIds: "long",
  resultImages: "after",
  userAfterResult: true,
  signsCalls: false,
  thinking: (wish) => effortFields(wish, { steered: /^/, silenced: /^/ }),
  takesTemperature: () => true,
};

const openAi: Dialect = {
  ...usual,
  tokenLimit: "max_completion_tokens",
  thinking: openAiThinking,
  takesTemperature: openAiTakesTemperature,
};

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ["openai", openAi],
  ["gemini", { ...usual, signsCalls: true, thinking: geminiThinking }],
  [
    "mistral",
    {
      ...usual,
      countsWhenAsked: false,
      callIds: "nine",
      resultImages: "inside",
      userAfterResult: false,
      thinking: (wish) => {
        const steered = /^mistral-(?:small-(?:latest|2603)|medium-(?:latest|2604|3\.5))/;
        return effortFields(wish, { steered, silenced: steered });
      },
    },
  ],
  ["openrouter", { ...usual, thinkingBack: "reasoning_details", thinking: openRouterThinking }],
  [
    "groq",
    {
      ...usual,
      tokenLimit: "max_completion_tokens",
      thinking: (wish) => effortFields(wish, { steered: /gpt-oss|qwen/, silenced: /qwen/ }),
    },
  ],
  ["deepseek", { ...usual, thinkingBack: "reasoning_content", thinking: deepSeekThinking }],
  [
    "xai",
    {
      ...usual,
      tokenLimit: "max_completion_tokens",
      thinking: (wish) =>
        effortFields(wish, { steered: /^grok-(?:3-mini|4\.[3-9](?!\d)|[5-9])/, silenced: /^grok-4\.3/ }),
    },
  ],
]);

/** How a vendor speaks the protocol. */
export const dialectOf = (vendor: string): Dialect => dialects.get(vendor) ?? usual;

/**
 * How Azure speaks it in one version of its interface, a date. Older ones refuse fields that came later: counting while
 * streaming and `max_completion_tokens` in September 2024, `reasoning_effort` in December.
 */
export function azureDialect(apiVersion: string): Dialect {
  const knows = (since: string): boolean => apiVersion >= since;
  return {
    ...openAi,
    tokenLimit: knows("2024-09") ? "max_completion_tokens" : "max_tokens",
    countsWhenAsked: knows("2024-09"),
    thinking: (wish) => (knows("2024-12") ? openAiThinking(wish) : {}),
  };
}

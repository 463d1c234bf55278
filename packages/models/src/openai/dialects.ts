import {
  deepSeekThinking,
  effortFields,
  geminiThinking,
  openRouterThinking,
  type ThinkingFields,
  type ThinkingWish,
} from "./thinking-fields.ts";

/** How a vendor's chat completions differ from others. A model's parameters are in its traits. */
export interface Dialect {
  /** The field that limits an answer's tokens. */
  readonly tokenLimit: "max_tokens" | "max_completion_tokens";
  /** Whether token counts must be requested when streaming; a server that always counts may refuse the field. */
  readonly countsWhenAsked: boolean;
  /** Accepted call ids: up to 40 characters of `[a-zA-Z0-9_-]`, or exactly 9 of `[a-zA-Z0-9]`. */
  readonly callIds: "long" | "nine";
  /** Where images of a tool result go: with the result, or in a user message after all results. */
  readonly resultImages: "inside" | "after";
  /** Whether a user message may directly follow a tool result; otherwise a model message must come between them. */
  readonly userAfterResult: boolean;
  /** The field in which thinking is sent back, if required; "as it came" for unknown servers. */
  readonly thinkingBack?: "reasoning_content" | "reasoning_details" | "as it came";
  /** The content of an answer that only calls tools. */
  readonly emptyContent: null | "";
  /** Whether thinking may be marked in the text, because the server does not separate it. */
  readonly readsThinkTags: boolean;
  /** Maximum images per request, if the vendor limits them. */
  readonly mostImages?: number;
  /** Whether calls are sent back with their signature. */
  readonly signsCalls: boolean;
  /** The vendor's fields for thinking; empty if it has none. */
  thinking(wish: ThinkingWish): ThinkingFields;
}

/** What most servers of this protocol accept. Third-party servers support `max_tokens`, and perhaps no other limit. */
const usual: Dialect = {
  tokenLimit: "max_tokens",
  countsWhenAsked: true,
  callIds: "long",
  resultImages: "after",
  userAfterResult: true,
  signsCalls: false,
  thinkingBack: "as it came",
  // LM Studio, mistral-common and templates of local models refuse null or fail on it.
  emptyContent: "",
  readsThinkTags: true,
  thinking: effortFields,
};

/** Vendors that refuse unknown fields in messages. */
const { thinkingBack: _, ...strict } = usual;

const renamed: Dialect = { ...strict, tokenLimit: "max_completion_tokens" };

const openAi = { emptyContent: null, readsThinkTags: false } as const;

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ["openai", { ...renamed, ...openAi }],
  ["groq", { ...renamed, mostImages: 5 }],
  ["xai", renamed],
  ["gemini", { ...strict, signsCalls: true, thinking: geminiThinking }],
  [
    "mistral",
    {
      ...strict,
      mostImages: 8,
      countsWhenAsked: false,
      callIds: "nine",
      resultImages: "inside",
      userAfterResult: false,
    },
  ],
  ["openrouter", { ...usual, thinkingBack: "reasoning_details", thinking: openRouterThinking }],
  ["deepseek", { ...usual, thinkingBack: "reasoning_content", thinking: deepSeekThinking }],
]);

/** A vendor's dialect; unlisted vendors use the common one. */
export const dialectOf = (vendor: string): Dialect => dialects.get(vendor) ?? usual;

/**
 * Azure's dialect for an API version (a date). Older versions refuse later fields: counting while streaming and `max_completion_tokens`
 * (September 2024), `reasoning_effort` (December 2024).
 */
export function azureDialect(apiVersion: string): Dialect {
  const knows = (since: string): boolean => apiVersion >= since;
  return {
    ...strict,
    ...openAi,
    tokenLimit: knows("2024-09") ? "max_completion_tokens" : "max_tokens",
    countsWhenAsked: knows("2024-09"),
    thinking: (wish) => (knows("2024-12") ? effortFields(wish) : {}),
  };
}

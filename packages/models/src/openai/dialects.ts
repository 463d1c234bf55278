import {
  deepSeekThinking,
  effortFields,
  geminiThinking,
  openRouterThinking,
  type ThinkingFields,
  type ThinkingWish,
} from "./thinking-fields.ts";

/** How a vendor's chat completions differ from those of others. The parameters of a single model are in its traits. */
export interface Dialect {
  /** The field that limits the tokens of an answer. */
  readonly tokenLimit: "max_tokens" | "max_completion_tokens";
  /** Whether it must be asked to count tokens while it streams; a server that always counts may refuse the field. */
  readonly countsWhenAsked: boolean;
  /** Which ids of calls are accepted: within 40 characters of `[a-zA-Z0-9_-]`, or just 9 of `[a-zA-Z0-9]`. */
  readonly callIds: "long" | "nine";
  /** Where the images of a tool's result go: with the result, or in a message of the user after all results. */
  readonly resultImages: "inside" | "after";
  /** Whether the user may speak straight after a tool's result; else the model must have spoken in between. */
  readonly userAfterResult: boolean;
  /** The field in which thinking goes back, if it must; "as it came" for servers of which nothing else is known. */
  readonly thinkingBack?: "reasoning_content" | "reasoning_details" | "as it came";
  /** What stands for the text of an answer that only calls tools. */
  readonly emptyContent: null | "";
  /** Whether models may mark their thinking in the text itself, since the server does not take it out. */
  readonly readsThinkTags: boolean;
  /** The most images of a request, if the vendor takes but a few. */
  readonly mostImages?: number;
  /** Whether calls go back with the signature that came with them. */
  readonly signsCalls: boolean;
  /** Says in the vendor's words how a model is to think; empty if there is no word for it. */
  thinking(wish: ThinkingWish): ThinkingFields;
}

/** What most servers of this protocol have in common. Servers of others know `max_tokens`, if only that. */
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

/** Vendors that refuse fields of messages which they do not know. */
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

/** How a vendor speaks the protocol; one that is not listed does as most do. */
export const dialectOf = (vendor: string): Dialect => dialects.get(vendor) ?? usual;

/**
 * How Azure speaks it in one version of its interface, a date. Older ones refuse fields that came later: counting while
 * streaming and `max_completion_tokens` in September 2024, `reasoning_effort` in December.
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

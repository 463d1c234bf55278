import { ownerOf } from "./model-facts.ts";

/** The parameters that a model accepts, if its vendor's protocol has them. Others are refused with status 400. */
export interface ModelTraits {
  /** Whether it has a reasoning effort. */
  readonly takesEffort: boolean;
  /** Whether it has the effort "none". */
  readonly takesNoEffort: boolean;
  /** Whether chat completions accept tools only with the effort "none", if at all. */
  readonly toolsNeedNoEffort: boolean;
  /** When it accepts a temperature. */
  readonly temperature: "always" | "unless an effort is set" | "only with no effort" | "never";
  /** The thinking types of a model with Anthropic's interface. */
  readonly thinkingTypes: readonly ThinkingType[];
  /** Whether a model with Anthropic's interface can show a summary of its thinking. */
  readonly summarizesThinking: boolean;
  /** Whether the responses interface puts `instructions` after the input, outside the cached prefix. */
  readonly instructsLast: boolean;
  /** Whether a prompt cache key helps its server to find cached prefixes. */
  readonly takesCacheKey: boolean;
}

/** Words of Anthropic's interface; "between_tools" is the minimum that some models think. */
type ThinkingType = "adaptive" | "enabled" | "disabled" | "between_tools";

interface TraitRow {
  readonly vendor: string;
  readonly names: RegExp;
  readonly traits?: Partial<ModelTraits>;
  /** Maximum tokens of an answer, if the price table does not list the model. */
  readonly maxOutput?: number;
}

const usual: ModelTraits = {
  takesEffort: true,
  takesNoEffort: true,
  toolsNeedNoEffort: false,
  temperature: "always",
  thinkingTypes: ["adaptive", "enabled", "disabled"],
  summarizesThinking: false,
  instructsLast: false,
  takesCacheKey: false,
};

/** The exceptions. If several rows match, the last one with a trait wins. */
const rows: readonly TraitRow[] = [
  { vendor: "anthropic", names: /^claude-(?:2|instant|3-)/, maxOutput: 4096 },
  { vendor: "anthropic", names: /^claude-3-5-/, maxOutput: 8192 },
  { vendor: "anthropic", names: /^claude-(?:opus|sonnet|fable)-/, maxOutput: 128_000 },
  { vendor: "anthropic", names: /^claude-(?:3-7-|opus-4-5|sonnet-4-(?!6))/, maxOutput: 64_000 },
  { vendor: "anthropic", names: /^claude-opus-4-(?:0|1|2025)/, maxOutput: 32_000 },

  // The interface has had no temperature since its version of October 2026. Servers of other models still accept one.
  { vendor: "anthropic", names: /^claude-/, traits: { temperature: "never", summarizesThinking: true } },
  {
    vendor: "anthropic",
    names: /^claude-(?:2|instant|3-|haiku-4|sonnet-4-(?!6)|opus-4-(?:0|1|2025))/,
    traits: { takesEffort: false, thinkingTypes: ["enabled", "disabled"] },
  },
  { vendor: "anthropic", names: /^claude-opus-4-5/, traits: { thinkingTypes: ["enabled", "disabled"] } },
  {
    vendor: "anthropic",
    names: /^claude-(?:opus-4-[78]|(?:opus|sonnet|haiku)-[5-9])/,
    traits: { thinkingTypes: ["adaptive", "disabled"] },
  },
  { vendor: "anthropic", names: /^claude-(?:fable|mythos|opus-5-5)/, traits: { thinkingTypes: ["adaptive"] } },
  { vendor: "anthropic", names: /^claude-sonnet-5-5/, traits: { thinkingTypes: ["adaptive", "between_tools"] } },

  { vendor: "openai", names: /^/, traits: { takesNoEffort: false } },
  { vendor: "openai", names: /^(?:gpt-[34]|chatgpt-|gpt-5-chat)/, traits: { takesEffort: false } },
  {
    vendor: "openai",
    names: /^gpt-(?:5\.|6-sol|6-luna|6\.1-terra)(?!.*(?:pro|chat|spark|cyber))/,
    traits: { takesNoEffort: true },
  },
  // On chat completions since GPT-5.4; "none" is not always the default.
  { vendor: "openai", names: /^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9])/, traits: { toolsNeedNoEffort: true } },
  { vendor: "openai", names: /^(?:o\d|gpt-[5-9])/, traits: { temperature: "only with no effort" } },
  { vendor: "openai", names: /^gpt-5\.[1-4](?!\d)/, traits: { temperature: "unless an effort is set" } },
  { vendor: "openai", names: /chat/, traits: { temperature: "always" } },
  { vendor: "openai", names: /^gpt-(?:5\.(?:[6-9]|\d\d)|[6-9])/, traits: { takesCacheKey: true } },
  { vendor: "openai", names: /^gpt-(?:6\.(?:[2-9]|\d\d)|[7-9])/, traits: { instructsLast: true } },

  { vendor: "gemini", names: /^/, traits: { takesNoEffort: false } },
  { vendor: "gemini", names: /^gemini-2\.5-flash/, traits: { takesNoEffort: true } },

  { vendor: "mistral", names: /^/, traits: { takesEffort: false, takesNoEffort: false } },
  {
    vendor: "mistral",
    names: /^(?:mistral-(?:small-(?:latest|2603)|medium-(?:latest|2604|3[.-]5))|magistral-medium-latest)/,
    traits: { takesEffort: true, takesNoEffort: true },
  },
  { vendor: "mistral", names: /^mistral-large-4/, traits: { takesEffort: true } },

  { vendor: "groq", names: /^/, traits: { takesEffort: false, takesNoEffort: false } },
  { vendor: "groq", names: /gpt-oss|qwen/, traits: { takesEffort: true } },
  { vendor: "groq", names: /qwen/, traits: { takesNoEffort: true } },

  { vendor: "xai", names: /^/, traits: { takesEffort: false, takesNoEffort: false } },
  { vendor: "xai", names: /^grok-(?:3-mini|4\.[3-9](?!\d)|[5-9])/, traits: { takesEffort: true } },
  { vendor: "xai", names: /^grok-4\.3/, traits: { takesNoEffort: true } },
];

/** A fine-tuned model has the traits of its base model. */
const rowsOf = (vendor: string, model: string): readonly TraitRow[] =>
  rows.filter((row) => row.vendor === ownerOf(vendor) && row.names.test(model.replace(/^ft:/, "")));

/** The parameters that a model accepts. */
export function modelTraits(vendor: string, model: string): ModelTraits {
  let traits = usual;
  for (const row of rowsOf(vendor, model)) traits = { ...traits, ...row.traits };
  return traits;
}

/** The maximum tokens of an answer for a model without prices, if known. */
export const longestAnswer = (vendor: string, model: string): number | undefined =>
  rowsOf(vendor, model).findLast((row) => row.maxOutput !== undefined)?.maxOutput;

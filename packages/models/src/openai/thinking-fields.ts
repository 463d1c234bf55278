import type { Thinking } from "../types/language-model.ts";

/** How a model is to think, as far as the user said so. */
export interface ThinkingWish {
  readonly model: string;
  readonly thinking: Thinking | undefined;
  readonly effort: string | undefined;
  readonly hasTools: boolean;
}

/** Fields of a request that say how to think; each vendor has its own. */
export interface ThinkingFields {
  readonly reasoning_effort?: string;
  readonly thinking?: { readonly type: "enabled" | "disabled" };
  readonly reasoning?: { readonly effort: string } | { readonly max_tokens: number } | { readonly enabled: true };
  readonly extra_body?: { readonly google: { readonly thinking_config: { readonly thinking_budget: number } } };
}

/** Names of models by what they can be told. */
interface Families {
  /** Models that know `reasoning_effort`. */
  readonly steered: RegExp;
  /** Models that know its value "none". */
  readonly silenced: RegExp;
}

/** Of vendors that have `reasoning_effort` and no more. Models that do not know it answer it with status 400. */
export function effortFields(
  { model, thinking, effort }: ThinkingWish,
  { steered, silenced }: Families,
): ThinkingFields {
  if (thinking === "off") return silenced.test(model) ? { reasoning_effort: "none" } : {};
  return effort !== undefined && steered.test(model) ? { reasoning_effort: effort } : {};
}

/** Since GPT-5.4 this protocol takes tools only from who asks for no thinking, which is not the default everywhere. */
const toolsOrThoughts = /^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9])/;

/** OpenAI's models, also where Azure serves them under names of theirs. */
export function openAiThinking(wish: ThinkingWish): ThinkingFields {
  if (wish.hasTools && toolsOrThoughts.test(wish.model)) return { reasoning_effort: "none" };
  return effortFields(wish, { steered: /^(?!gpt-[34])/, silenced: /^gpt-(?:5\.|[6-9])(?!.*(?:pro|chat))/ });
}

/** Whether a model of OpenAI takes a temperature: one that thinks does not. */
export function openAiTakesTemperature(model: string, { reasoning_effort: effort }: ThinkingFields): boolean {
  if (effort === "none" || /chat|^gpt-[34]/.test(model)) return true;
  if (/^gpt-5\.[1-4](?!\d)/.test(model)) return effort === undefined;
  return !/^(?:o\d|gpt-[5-9])/.test(model);
}

/** Google's models: an effort, or a budget of tokens in a field of Google's own. */
export function geminiThinking(wish: ThinkingWish): ThinkingFields {
  if (typeof wish.thinking === "object") {
    return { extra_body: { google: { thinking_config: { thinking_budget: wish.thinking.budget } } } };
  }
  return effortFields(wish, { steered: /^/, silenced: /^gemini-2\.5-flash/ });
}

/** DeepSeek's models: a switch, and an effort where it is on. */
export function deepSeekThinking({ thinking, effort }: ThinkingWish): ThinkingFields {
  if (thinking === "off") return { thinking: { type: "disabled" } };
  return {
    ...(thinking === undefined ? {} : { thinking: { type: "enabled" } }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
  };
}

/** OpenRouter has one object for all models, and translates. Budget and effort exclude each other. */
export function openRouterThinking({ thinking, effort }: ThinkingWish): ThinkingFields {
  if (thinking === "off") return { reasoning: { effort: "none" } };
  if (typeof thinking === "object") return { reasoning: { max_tokens: thinking.budget } };
  if (effort !== undefined) return { reasoning: { effort } };
  return thinking === "adaptive" ? { reasoning: { enabled: true } } : {};
}

import type { ModelTraits } from "../prices/model-traits.ts";
import type { Thinking } from "../types/language-model.ts";

/** The user's settings for thinking. */
export interface ThinkingWish {
  readonly traits: ModelTraits;
  readonly thinking: Thinking | undefined;
  readonly effort: string | undefined;
  readonly hasTools: boolean;
}

/** The request fields for thinking, which differ by vendor. */
export interface ThinkingFields {
  readonly reasoning_effort?: string;
  readonly thinking?: { readonly type: "enabled" | "disabled" };
  readonly reasoning?: { readonly effort: string } | { readonly max_tokens: number } | { readonly enabled: true };
  readonly extra_body?: { readonly google: { readonly thinking_config: { readonly thinking_budget: number } } };
}

/** For vendors that only have `reasoning_effort`. */
export function effortFields({ traits, thinking, effort, hasTools }: ThinkingWish): ThinkingFields {
  // A model that cannot stop thinking accepts no tools there.
  if (hasTools && traits.toolsNeedNoEffort && traits.takesNoEffort) return { reasoning_effort: "none" };
  if (thinking === "off") return traits.takesNoEffort ? { reasoning_effort: "none" } : {};
  return effort !== undefined && traits.takesEffort ? { reasoning_effort: effort } : {};
}

/** Whether a model accepts a temperature with these fields: not always while thinking. */
export function takesTemperature({ temperature }: ModelTraits, { reasoning_effort: effort }: ThinkingFields): boolean {
  switch (temperature) {
    case "always":
      return true;
    case "unless an effort is set":
      return effort === undefined || effort === "none";
    case "only with no effort":
      return effort === "none";
    case "never":
      return false;
  }
}

/** For Google's models: an effort, or a token budget in a field of Google's. */
export function geminiThinking(wish: ThinkingWish): ThinkingFields {
  if (typeof wish.thinking !== "object") return effortFields(wish);
  return { extra_body: { google: { thinking_config: { thinking_budget: wish.thinking.budget } } } };
}

/** For DeepSeek's models: a switch, and an effort if it is on. */
export function deepSeekThinking({ thinking, effort }: ThinkingWish): ThinkingFields {
  if (thinking === "off") return { thinking: { type: "disabled" } };
  return {
    ...(thinking === undefined ? {} : { thinking: { type: "enabled" } }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
  };
}

/** OpenRouter has one object for all models and translates it. Budget and effort exclude each other. */
export function openRouterThinking({ thinking, effort }: ThinkingWish): ThinkingFields {
  if (thinking === "off") return { reasoning: { effort: "none" } };
  if (typeof thinking === "object") return { reasoning: { max_tokens: thinking.budget } };
  if (effort !== undefined) return { reasoning: { effort } };
  return thinking === "adaptive" ? { reasoning: { enabled: true } } : {};
}

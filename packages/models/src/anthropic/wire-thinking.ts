import type { Thinking } from "../types/language-model.ts";
import type { WireThinkingMode } from "./wire-message.ts";

/** The smallest budget that the API takes, and what is left of an answer's tokens for what is not thought. */
const leastTokens = 1024;

/**
 * How a model is told to think. A budget and the answer's `max_tokens` are both limits, so the budget is lowered where it
 * would leave no room for an answer; undefined where there is no room to think at all.
 */
export function wireThinking(thinking: Thinking, maxTokens: number): WireThinkingMode | undefined {
  if (thinking === "adaptive") return { type: "adaptive" };
  if (thinking === "off") return { type: "disabled" };
  if (maxTokens <= leastTokens) return undefined;
  const budget = Math.min(thinking.budget, maxTokens - leastTokens);
  return { type: "enabled", budget_tokens: Math.max(budget, leastTokens) };
}

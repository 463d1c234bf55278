import { inputTokens } from "@mdx-ai/models";
import type { Spending } from "@mdx-ai/runtime";
import { counted, dollars, duration, grouped } from "./figures.ts";

/**
 * The usage and cost of a prompt: "2 turns, 1,234 tokens in (1,000 cached), 56 out (20 thinking), $0.0123, 3.4 s".
 * Undefined if it took no tokens.
 */
export function promptSpending(spending: Spending, turns: number): string | undefined {
  const spent = spendingText(spending);
  return spent === undefined ? undefined : `${counted(turns, "turn")}, ${spent}, ${duration(spending.latency)}`;
}

/** Tokens and their cost: "1,234 tokens in (1,000 cached), 56 out, cost unknown". Undefined where there were no tokens. */
export function spendingText({ usage, usd, unpriced }: Spending): string | undefined {
  const input = inputTokens(usage);
  if (input + usage.output === 0) return undefined;
  const incoming = `${counted(input, "token")} in${aside(usage.cacheRead, "cached")}`;
  const outgoing = `${grouped(usage.output)} out${aside(usage.thinking, "thinking")}`;
  return `${usage.estimated ? "about " : ""}${incoming}, ${outgoing}, ${costText(usd, unpriced)}`;
}

const aside = (count: number, word: string): string => (count === 0 ? "" : ` (${grouped(count)} ${word})`);

/** A cost, or what is known of it where the price of some answers is not. */
export function costText(usd: number, unpriced: number): string {
  if (unpriced === 0) return dollars(usd);
  return usd === 0 ? "cost unknown" : `at least ${dollars(usd)}`;
}

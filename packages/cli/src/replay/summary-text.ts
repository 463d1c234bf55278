import type { Spending } from "@mdx-ai/runtime";
import { counted } from "../output/figures.ts";
import { spendingText } from "../output/spending-text.ts";
import type { PlayedPrompt } from "./played-prompt.ts";

type Figures = Pick<PlayedPrompt, "turns" | "tools" | "spending">;

/** "2 prompts, 3 turns, 1 tool call, 1,234 tokens in, 56 out, $0.0123". */
export const summaryText = (prompts: readonly PlayedPrompt[]): string =>
  `${counted(prompts.length, "prompt")}, ${figuresText(sumOf(prompts))}`;

const figuresText = ({ turns, tools, spending }: Figures): string =>
  [counted(turns, "turn"), counted(tools, "tool call"), spendingText(spending)]
    .filter((part) => part !== undefined)
    .join(", ");

/** What several prompts came to. */
export function sumOf(prompts: readonly Figures[]): Figures {
  const sum = (value: (prompt: Figures) => number): number => prompts.reduce((all, one) => all + value(one), 0);
  const usage = (key: "input" | "output" | "cacheRead" | "cacheWrite" | "thinking"): number =>
    sum(({ spending }) => spending.usage[key]);
  const isEstimated = prompts.some(({ spending }) => spending.usage.estimated);
  const spending: Spending = {
    usage: {
      input: usage("input"),
      output: usage("output"),
      cacheRead: usage("cacheRead"),
      cacheWrite: usage("cacheWrite"),
      thinking: usage("thinking"),
      ...(isEstimated && { estimated: true }),
    },
    usd: sum((prompt) => prompt.spending.usd),
    unpriced: sum((prompt) => prompt.spending.unpriced),
    calls: sum((prompt) => prompt.spending.calls),
    latency: sum((prompt) => prompt.spending.latency),
  };
  return { turns: sum(({ turns }) => turns), tools: sum(({ tools }) => tools), spending };
}

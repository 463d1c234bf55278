import { addSpending, noSpending, type RecordedPrompt } from "@mdx-ai/runtime";
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

/** The figures of several prompts together. */
export function sumOf(prompts: readonly Figures[]): Figures {
  const sum = (value: (prompt: Figures) => number): number => prompts.reduce((all, one) => all + value(one), 0);
  const spending = prompts.reduce((all, one) => addSpending(all, one.spending), noSpending);
  return { turns: sum(({ turns }) => turns), tools: sum(({ tools }) => tools), spending };
}

/** That the changes since some prompts are unknown; undefined if all are known. */
export function unknownAgentText(prompts: readonly RecordedPrompt[]): string | undefined {
  const numbers = prompts.flatMap(({ number, agent }) => (agent === undefined ? [number] : []));
  if (numbers.length === 0) return undefined;
  const which = numbers.length === prompts.length ? "" : ` of prompt ${numbers.join(", ")}`;
  return `the recording${which} does not say what the agent was, so changes since then are unknown`;
}

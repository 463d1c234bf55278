import { changeText, textDifference } from "@mdx-ai/directory/testing";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import { type AgentChange, type CallCounts, type Cost, totalTokens } from "@mdx-ai/runtime";
import { columns } from "../output/columns.ts";
import { counted, grouped } from "../output/figures.ts";
import type { Paint } from "../output/paint.ts";
import { costText } from "../output/prompt-lines.ts";
import { differenceText } from "../testing/test-text.ts";
import { type PlayedPrompt, sumOf } from "./played-prompt.ts";

/** A prompt as it was recorded, and as another model ran it. */
export interface ComparedPrompt {
  readonly recorded: PlayedPrompt;
  readonly now: PlayedPrompt;
  /** How the calls of the other model were answered. */
  readonly calls: CallCounts;
}

/** The result of a comparison. */
export interface ComparisonReport {
  /** The other model, as `provider/name`. */
  readonly model: string;
  readonly compared: readonly ComparedPrompt[];
  readonly changes: readonly AgentChange[];
  /** Prompts that it no longer received. */
  readonly left: number;
}

/** How the answer to a prompt differs from the recorded one, and how its calls were answered. */
export async function answerComparison({ recorded, now, calls }: ComparedPrompt, paint: Paint): Promise<string> {
  const lines = recorded.answer === now.answer ? [] : await textDifference(recorded.answer, now.answer);
  const title = lines.length === 0 ? "the same answer" : "another answer (- recorded, + now)";
  const others = calls.others === 0 ? "" : `; ${counted(calls.others, "call")} not recorded`;
  return [
    paint("dim", `${title}${others}`),
    ...lines.map((line) => `    ${differenceText(line, paint)}`.trimEnd()),
    "",
    "",
  ].join("\n");
}

const HEAD = ["prompt", "answer", "turns", "tool calls", "tokens", "cost"] as const;

/** A table of all prompts: what was recorded, and the result now. */
export function comparisonText({ model, compared, changes, left }: ComparisonReport, paint: Paint): string {
  const rows = compared.map(({ recorded, now }) => [
    String(recorded.number),
    recorded.answer === now.answer ? "same" : "other",
    ...figures(recorded, now),
  ]);
  const sum = figures(sumOf(compared.map((one) => one.recorded)), sumOf(compared.map((one) => one.now)));
  const all = compared.length > 1 ? [["all", "", ...sum]] : [];
  const table = columns([{ cells: HEAD, colour: "bold" }, ...[...rows, ...all].map((cells) => ({ cells }))], paint);
  return [
    `recorded → ${plainLine(model)}`,
    ...table,
    ...(left === 0 ? [] : [paint("yellow", `${counted(left, "prompt")} not asked for, since one failed`)]),
    ...changes.map((change) => paint("yellow", changeText(change))),
    "",
  ].join("\n");
}

type Figures = Pick<PlayedPrompt, "turns" | "tools" | "cost">;

const figures = (recorded: Figures, now: Figures): readonly string[] => [
  `${recorded.turns} → ${now.turns}`,
  `${recorded.tools} → ${now.tools}`,
  `${grouped(totalTokens(recorded.cost.usage))} → ${grouped(totalTokens(now.cost.usage))}`,
  `${costOf(recorded.cost)} → ${costOf(now.cost)}`,
];

const costOf = ({ usd, unpriced }: Cost): string => costText(usd, unpriced);

/** For programs: one line of JSON after those of the events. */
export const comparisonReport = ({ model, compared, changes, left }: ComparisonReport): string =>
  `${jsonText({
    type: "comparison_report",
    version: 1,
    model,
    prompts: compared.map(({ recorded, now, calls }) => ({
      prompt: recorded.number,
      input: recorded.input,
      recorded: partOf(recorded),
      now: partOf(now),
      calls,
    })),
    changes,
    left,
  })}\n`;

const partOf = ({ answer, outcome, turns, tools, cost }: PlayedPrompt): object => ({
  answer,
  outcome,
  turns,
  tools,
  cost,
});

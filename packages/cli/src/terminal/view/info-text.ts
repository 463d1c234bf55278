import type { SessionInfo, Spending } from "@mdx-ai/runtime";
import { counted, grouped } from "../../output/figures.ts";
import { spendingText } from "../../output/spending-text.ts";

/** What `/info` shows. */
export interface InfoParts {
  /** All as `provider/name`, in the order in which they are asked. Not empty. */
  readonly models: readonly string[];
  readonly session: string;
  readonly messages: number;
  readonly turns: number;
  readonly info: SessionInfo;
}

const labelWidth = 11;

/** A session with its usage and cost, a line a fact. */
export function infoText({ models, session, messages, turns, info }: InfoParts): string {
  const [model = "", ...fallbacks] = models;
  const lines: readonly (readonly [label: string, text: string])[] = [
    ["Model", model],
    ...fallbacks.map((fallback, place) => [place === 0 ? "Fallback" : "", fallback] as const),
    ["Session", `${session}, ${counted(messages, "message")}, ${counted(turns, "turn")}`],
    ["Spent", spentText(info.session)],
    ["Today", spentText(info.day)],
    ["Context", contextText(info.context)],
  ];
  return lines.map(([label, text]) => `${label.padEnd(labelWidth)}${text}`).join("\n");
}

const spentText = (spending: Spending): string => spendingText(spending) ?? "no tokens";

/** How full the model's window is. */
function contextText({ tokens, measured, window }: SessionInfo["context"]): string {
  const how = measured === "provider" ? "counted by the provider" : "estimated";
  const part =
    window === undefined ? "of a window of unknown size" : `${percentage(tokens, window)} of ${grouped(window)}`;
  return `${counted(tokens, "token")}, ${part} (${how})`;
}

function percentage(tokens: number, window: number): string {
  const percent = (100 * tokens) / window;
  return percent > 0 && percent < 1 ? "less than 1 %" : `${Math.round(percent)} %`;
}

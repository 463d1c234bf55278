import type { AgentChange, RecordedPrompt } from "@mdx-ai/runtime";
import { counted } from "../output/figures.ts";
import { jsonText } from "../output/json-text.ts";
import type { Paint } from "../output/paint.ts";
import { changeText, unknownAgentText } from "./change-text.ts";
import type { PlayedPrompt } from "./played-prompt.ts";
import { summaryText } from "./summary-text.ts";

/** What a replay came to. */
export interface ReplayReport {
  readonly recorded: readonly RecordedPrompt[];
  readonly played: readonly PlayedPrompt[];
  readonly changes: readonly AgentChange[];
}

/** For people, below the conversation. */
export function reportText({ recorded, played, changes }: ReplayReport, paint: Paint): string {
  const differences = played.reduce((count, one) => count + one.differences.length, 0);
  const unknown = unknownAgentText(recorded);
  return [
    "",
    paint("dim", summaryText(played)),
    ...(differences === 0 ? [] : [paint("yellow", `${counted(differences, "tool result")} not as recorded`)]),
    ...changes.map((change) => paint("yellow", changeText(change))),
    ...(unknown === undefined ? [] : [paint("dim", unknown)]),
    "",
  ].join("\n");
}

/** For programs: one line of JSON after those of the events. */
export const playedReport = ({ recorded, played, changes }: ReplayReport): string =>
  `${jsonText({
    type: "replay_report",
    version: 1,
    prompts: played.map(({ number, ...prompt }) => ({ prompt: number, ...prompt })),
    changes,
    unknownAgents: recorded.flatMap(({ number, agent }) => (agent === undefined ? [number] : [])),
  })}\n`;

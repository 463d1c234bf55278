import { counted } from "@mdx-ai/directory/views/figures";
import { usageText } from "@mdx-ai/directory/views/prompt-lines";
import { type AgentEvent, addCost, answerText, type Cost, noCost, type PromptOutcome } from "@mdx-ai/loop";
import type { ToolDifference } from "@mdx-ai/runtime";
import type { RecordedPrompt } from "@mdx-ai/sessions";
import type { EventView } from "../output/event-views.ts";
import { endOf, promptEnds } from "../prompting/prompt-end.ts";

/** A replayed prompt, collected from its events. */
export interface PlayedPrompt {
  readonly number: number;
  readonly input: string;
  /** The model's last text. */
  readonly answer: string;
  /** `unfinished`: the recording ends within the prompt. */
  readonly outcome: PromptOutcome | "unfinished";
  readonly turns: number;
  /** Answered calls. */
  readonly tools: number;
  readonly cost: Cost;
  /** Calls that gave a different result when run again, in order of detection. */
  readonly differences: readonly ToolDifference[];
  /** Why it could not be replayed to its end. */
  readonly problem?: string;
}

type Counts = { -readonly [Key in "turns" | "tools" | "answer"]: PlayedPrompt[Key] };

/** Shows the events of a prompt and returns its result. Rejects as the iteration does. */
export async function watchPrompt(
  { number, input, cost }: RecordedPrompt,
  events: AsyncIterable<AgentEvent>,
  view: EventView,
): Promise<PlayedPrompt> {
  const counts: Counts = { turns: 0, tools: 0, answer: "" };
  const played = { number, input, differences: [] };
  for await (const end of promptEnds(counting(events, counts), view)) {
    const { problem } = endOf(end);
    // With its number, since the recorded prompt was interrupted or failed, not the replay.
    if (problem !== undefined) view.note(`prompt ${number}: ${problem}`);
    return { ...played, ...counts, outcome: end.outcome, cost: end.cost ?? cost };
  }
  view.note(`prompt ${number} was cut short, and its recording ends here`);
  return { ...played, ...counts, outcome: "unfinished", cost };
}

async function* counting(events: AsyncIterable<AgentEvent>, counts: Counts): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    if (event.type === "turn_end") {
      counts.turns++;
      counts.answer = answerText([event.message]);
    }
    if (event.type === "tool_execution_end") counts.tools++;
    yield event;
  }
}

type Figures = Pick<PlayedPrompt, "turns" | "tools" | "cost">;

/** "2 prompts, 3 turns, 1 tool call, 1,234 tokens in, 56 out, $0.0123". */
export const summaryText = (prompts: readonly PlayedPrompt[]): string =>
  `${counted(prompts.length, "prompt")}, ${figuresText(sumOf(prompts))}`;

const figuresText = ({ turns, tools, cost }: Figures): string =>
  [counted(turns, "turn"), counted(tools, "tool call"), usageText(cost)]
    .filter((part) => part !== undefined)
    .join(", ");

/** The summed figures of several prompts. */
export function sumOf(prompts: readonly Figures[]): Figures {
  const sum = (value: (prompt: Figures) => number): number => prompts.reduce((all, one) => all + value(one), 0);
  const cost = prompts.reduce((all, one) => addCost(all, one.cost), noCost);
  return { turns: sum(({ turns }) => turns), tools: sum(({ tools }) => tools), cost };
}

/** A note that changes since some prompts are unknown; undefined if all are known. */
export function unknownAgentText(prompts: readonly RecordedPrompt[]): string | undefined {
  const numbers = prompts.flatMap(({ number, agent }) => (agent === undefined ? [number] : []));
  if (numbers.length === 0) return undefined;
  const which = numbers.length === prompts.length ? "" : ` of prompt ${numbers.join(", ")}`;
  return `the recording${which} does not describe the agent, so changes since then are unknown`;
}

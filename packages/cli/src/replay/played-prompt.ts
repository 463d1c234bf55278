import {
  type AgentEvent,
  answerText,
  type PromptOutcome,
  type RecordedPrompt,
  type Spending,
  type ToolDifference,
} from "@mdx-ai/runtime";
import type { EventView } from "../output/event-view.ts";
import { endOf, promptEnds } from "../prompting/prompt-end.ts";

/** What the events of a prompt show. */
export interface PlayedPrompt {
  readonly number: number;
  readonly input: string;
  /** The model's last text. */
  readonly answer: string;
  /** `unfinished`: the recording ends within it. */
  readonly outcome: PromptOutcome | "unfinished";
  readonly turns: number;
  /** Calls that were answered. */
  readonly tools: number;
  readonly spending: Spending;
  /** The calls that gave something else when they were run again, in the order in which that was known. */
  readonly differences: readonly ToolDifference[];
  /** Why it could not be played to its end. */
  readonly problem?: string;
}

type Counts = { -readonly [Key in "turns" | "tools" | "answer"]: PlayedPrompt[Key] };

/** Shows the events of a prompt, and how it ended. Rejects where the iteration does. */
export async function watchPrompt(
  { number, input, spending }: RecordedPrompt,
  events: AsyncIterable<AgentEvent>,
  view: EventView,
): Promise<PlayedPrompt> {
  const counts: Counts = { turns: 0, tools: 0, answer: "" };
  const played = { number, input, differences: [] };
  for await (const end of promptEnds(counted(events, counts), view)) {
    const { problem } = endOf(end);
    // With its number: it is not the replay that was interrupted or failed.
    if (problem !== undefined) view.note(`prompt ${number}: ${problem}`);
    return { ...played, ...counts, outcome: end.outcome, spending: end.spending ?? spending };
  }
  view.note(`prompt ${number} was cut short, and its recording ends here`);
  return { ...played, ...counts, outcome: "unfinished", spending };
}

async function* counted(events: AsyncIterable<AgentEvent>, counts: Counts): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    if (event.type === "turn_end") {
      counts.turns++;
      counts.answer = answerText([event.message]);
    }
    if (event.type === "tool_execution_end") counts.tools++;
    yield event;
  }
}

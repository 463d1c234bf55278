import { contentText } from "../content-text.ts";
import type { PromptHistory } from "../history/prompt-history.ts";
import type { PlannedModel } from "../loop/plan.ts";
import { turnTrace } from "./step-traces.ts";
import type { TracePrompt } from "./trace.ts";

/** The trace of a prompt. `holder` is the process that runs it, for people. */
export function promptTrace(prompt: PromptHistory, holder: string | undefined): TracePrompt {
  const { number, begin, end, spending, turns, steering, resumptions, hooks, unknown } = prompt;
  return {
    number,
    ...(begin?.id !== undefined && { id: begin.id }),
    ...(begin && { input: contentText(begin.message.content) }),
    ...(begin?.plan && { models: begin.plan.models.map(fullName) }),
    ...timesOf(prompt),
    ...(end ? { outcome: end.outcome } : { outcome: "unfinished" }),
    ...(end?.limit && { limit: { limit: end.limit.limit, value: end.limit.value } }),
    ...(end === undefined && holder !== undefined && { holder }),
    spending,
    turns: turns.map((turn) => turnTrace(turn, prompt)),
    steering: steering.map(({ step, message, turn }) => ({
      step,
      text: contentText(message.content),
      at: message.timestamp,
      ...(turn !== undefined && { turn }),
    })),
    resumptions: resumptions.flatMap(({ step, at, turn }) =>
      at === undefined ? [] : [{ step, at, ...(turn !== undefined && { turn }) }],
    ),
    ...(hooks.length > 0 && { hooks }),
    otherSteps: unknown,
  };
}

const fullName = ({ provider, name }: PlannedModel): string => `${provider}/${name}`;

function timesOf({ begin, end }: PromptHistory): Pick<TracePrompt, "startedAt" | "endedAt" | "duration"> {
  const startedAt = begin?.message.timestamp;
  const duration = startedAt !== undefined && end ? end.at - startedAt : Number.NaN;
  return {
    ...(startedAt !== undefined && { startedAt }),
    ...(end && { endedAt: end.at }),
    ...(duration >= 0 && { duration }),
  };
}

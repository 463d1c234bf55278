import type { AssistantMessage, ToolCall } from "@mdx-ai/models";

const MODEL = "model:";
const COMPACTION = "compact:";
const RETRY = "retry:";

/**
 * The step in which the model is asked in a turn. Turns of a prompt and attempts of a turn are counted from 1; of the
 * attempts of a turn only the last gave the answer.
 */
export const modelStep = (turn: number, attempt: number): string => MODEL + attemptName(turn, attempt);

/** The step in which an attempt waits for its time. */
export const retryStep = (turn: number, attempt: number): string => RETRY + attemptName(turn, attempt);

const attemptName = (turn: number, attempt: number): string => (attempt === 1 ? `${turn}` : `${turn}#${attempt}`);

/** Whether a step holds an answer of the model. */
export const isModelStep = (step: string): boolean => step.startsWith(MODEL);

/** The turn whose answer a step holds. */
export const turnOf = (modelStep: string): string => modelStep.slice(MODEL.length).replace(/#.*$/, "");

/** The step in which older messages are summarised before an attempt. Tries are counted from 1. */
export const compactionStep = (turn: number, attempt: number, number = 1): string =>
  COMPACTION + attemptName(turn, attempt) + tryName(number);

/** The step in which a try to summarise older messages waits for its time. */
export const compactionRetryStep = (turn: number, attempt: number, number: number): string =>
  RETRY + compactionStep(turn, attempt, number);

/** The steps of which one comes first in an attempt, but for the wait before it. */
export const firstSteps = (turn: number, attempt: number): readonly string[] => [
  compactionStep(turn, attempt),
  modelStep(turn, attempt),
];

/**
 * The step of a session in which its first so many messages are summarised because the user asked for it. Tries are
 * counted from 1.
 */
export const sessionCompactionStep = (messages: number, number: number): string =>
  `${COMPACTION}messages:${messages}${tryName(number)}`;

const tryName = (number: number): string => (number === 1 ? "" : `/${number}`);

/** Whether a step holds a summary. */
export const isCompactionStep = (step: string): boolean => step.startsWith(COMPACTION);

/** A tool call and the step in which it is answered. */
export interface CallStep {
  readonly call: ToolCall;
  readonly step: string;
}

/**
 * The tool calls of an answer, in their order. Each has a step of its own, also where a model gives several calls one id,
 * as some do.
 */
export function callSteps(message: AssistantMessage, turn: string | number): CallStep[] {
  const taken = new Set<string>();
  return message.content.flatMap((block) => {
    if (block.type !== "toolCall") return [];
    const name = `tool:${turn}:${block.id}`;
    let step = name;
    for (let count = 2; taken.has(step); count++) step = `${name}#${count}`;
    taken.add(step);
    return [{ call: block, step }];
  });
}

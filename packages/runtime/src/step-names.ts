import type { AssistantMessage, ToolCall } from "@mdx-ai/models";

const MODEL = "model:";

/** The step in which the model is asked in a turn; turns of a prompt are counted from 1. */
export const modelStep = (turn: number): string => `${MODEL}${turn}`;

/** The turn whose answer a step holds. */
export const turnOf = (modelStep: string): string => modelStep.slice(MODEL.length);

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

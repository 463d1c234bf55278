import type { AssistantMessage, ToolCall } from "@mdx-ai/models";

/**
 * The step in which the model is asked in a turn. Turns of a prompt and attempts of a turn are counted from 1; of the
 * attempts of a turn only the last gave the answer.
 */
export const modelStep = (turn: number, attempt: number): string => `model:${attemptName(turn, attempt)}`;

/** The step in which an attempt waits for its time. */
export const retryStep = (turn: number, attempt: number): string => `retry:${attemptName(turn, attempt)}`;

const attemptName = (turn: number, attempt: number): string => (attempt === 1 ? `${turn}` : `${turn}#${attempt}`);

/** The step in which older messages are summarised before an attempt. Tries are counted from 1. */
export const compactionStep = (turn: number, attempt: number, number = 1): string =>
  `compact:${attemptName(turn, attempt)}${tryName(number)}`;

/** The step in which a try to summarise older messages waits for its time. */
export const compactionRetryStep = (turn: number, attempt: number, number: number): string =>
  `retry:${compactionStep(turn, attempt, number)}`;

/** The step in which a request is measured before an attempt. */
export const sizeStep = (turn: number, attempt: number): string => `size:${attemptName(turn, attempt)}`;

/**
 * The step of a session in which its first messages, this many, are summarised because the user asked for it. Tries are
 * counted from 1.
 */
export const sessionCompactionStep = ({ messages, rewinds }: SessionPlace, number: number): string =>
  `compact:messages:${messages}${rewinds === 0 ? "" : `@${rewinds}`}${tryName(number)}`;

/** A point of a session: a number of messages, and how often it went back to an earlier prompt. */
interface SessionPlace {
  readonly messages: number;
  readonly rewinds: number;
}

const tryName = (number: number): string => (number === 1 ? "" : `/${number}`);

/** The step of a prompt in which something that the user said while it ran was accepted; counted from 1. */
export const steerStep = (number: number): string => `steer:${number}`;

/** The step in which accepted messages become a part of the transcript, before the model is asked in a turn. */
export const deliverStep = (turn: number): string => `deliver:${turn}`;

/** The step in which a later process resumes a prompt that a crash cut short; counted from 1. */
export const resumeStep = (number: number): string => `resume:${number}`;

/** A record of a prompt about a file that a builtin tool read or is about to replace; counted from 1. */
export const fileStep = (number: number): string => `file:${number}`;

/** The first step of a prompt: its input and its plan. */
export const BEGIN_STEP = "begin";

/** The hooks of modules before the first request, after the results of a turn, and before the end. */
export const BEFORE_PROMPT_STEP = "hook:beforePrompt";
export const afterToolStep = (turn: number): string => `hook:afterTool:${turn}`;
export const AFTER_PROMPT_STEP = "hook:afterPrompt";

/** The last step of a prompt. */
export const END_STEP = "end";

/** The step of a session that holds the output of the code in the agent's prose, as Markdown; by a hash of the code. */
export const identityStep = (hash: string): string => `identity:${hash}`;

/** The step of a session that holds what the repository around a workspace says; by a hash of the workspace's path. */
export const repositoryStep = (hash: string): string => `repository:${hash}`;

/**
 * Numbered steps of a session itself, counted from 1: an input is put into its queue, or taken back; the transcript ends
 * with an earlier prompt from here on; the files of later prompts are about to be restored; the agent has changed from here on.
 */
type NumberedStep = "queue" | "unqueue" | "head" | "undo" | "agent";

/** The name of a numbered step. */
export const numberedStep = (kind: NumberedStep, number: number): string => `${kind}:${number}`;

/** The step of a session that holds the mark of the user whose programs began it. */
export const OWNER_STEP = "owner";

/** The first line of a journal that continues an older one: a summary of that. */
export const SEGMENT_STEP = "segment";

/** The step in which the policy is applied to the calls of a turn. */
export const policyStep = (turn: number): string => `policy:${turn}`;

/** The step in which the user is asked about a call, before the step of the call. */
export const permissionStep = (callStep: string): string => `permission:${callStep}`;

/** A tool call and the step in which it is answered. */
export interface CallStep {
  readonly call: ToolCall;
  readonly step: string;
}

/** Whether a step answers a call with this id: the first of its answer, or a later one. */
export function isStepOf(step: string, id: string): boolean {
  const [, name = ""] = /^tool:\d+:(.*)$/s.exec(step) ?? [];
  return name === id || (name.startsWith(`${id}#`) && /^\d+$/.test(name.slice(id.length + 1)));
}

/**
 * The tool calls of an answer, in their order. Each has a step of its own, also if a model gives several calls one id,
 * as some do.
 */
export function callSteps(message: AssistantMessage, turn: number): CallStep[] {
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

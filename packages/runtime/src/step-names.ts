import type { AssistantMessage, ToolCall } from "@mdx-ai/models";

const MODEL = "model:";
const COMPACTION = "compact:";
const RETRY = "retry:";
const INPUT = "user";
const STEER = "steer:";
const DELIVER = "deliver:";
const RESUME = "resume:";
const IDENTITY = "identity:";
const POLICY = "policy:";

/**
 * The step in which the model is asked in a turn. Turns of a prompt and attempts of a turn are counted from 1; of the
 * attempts of a turn only the last gave the answer.
 */
export const modelStep = (turn: number, attempt: number): string => MODEL + attemptName(turn, attempt);

/** The step in which an attempt waits for its time. */
export const retryStep = (turn: number, attempt: number): string => RETRY + attemptName(turn, attempt);

/** Whether an attempt, or a try to summarise, waits in a step. */
export const isRetryStep = (step: string): boolean => step.startsWith(RETRY);

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

/** The step in which a request is measured before an attempt. */
export const sizeStep = (turn: number, attempt: number): string => `size:${attemptName(turn, attempt)}`;

/** Whether a step holds the size of a request. */
export const isSizeStep = (step: string): boolean => step.startsWith("size:");

/**
 * The step of a session in which its first so many messages are summarised because the user asked for it. Tries are
 * counted from 1.
 */
export const sessionCompactionStep = ({ messages, rewinds }: SessionPlace, number: number): string =>
  `${COMPACTION}messages:${messages}${rewinds === 0 ? "" : `@${rewinds}`}${tryName(number)}`;

/** A place in a session: after so many messages, and after going back to an earlier prompt so many times. */
interface SessionPlace {
  readonly messages: number;
  readonly rewinds: number;
}

const tryName = (number: number): string => (number === 1 ? "" : `/${number}`);

/** Whether a step holds a summary. */
export const isCompactionStep = (step: string): boolean => step.startsWith(COMPACTION);

/** The step of a prompt in which something that the user said while it ran was accepted; counted from 1. */
export const steerStep = (number: number): string => STEER + number;

/** Whether a step holds what the user said while its prompt ran. */
export const isSteerStep = (step: string): boolean => step.startsWith(STEER);

/** The step in which what was accepted becomes a part of the transcript, before the model is asked in a turn. */
export const deliverStep = (turn: number): string => DELIVER + turn;

/** Whether a step is a delivery. */
export const isDeliverStep = (step: string): boolean => step.startsWith(DELIVER);

/** The step in which a later process goes on with a prompt that a crash cut short; counted from 1. */
export const resumeStep = (number: number): string => RESUME + number;

/** Whether a later process went on here. */
export const isResumeStep = (step: string): boolean => step.startsWith(RESUME);

/** The first step of a prompt: its input and its plan. */
export const BEGIN_STEP = "begin";

/** The hooks of modules before the first request, after the results of a turn, and before the end. */
export const BEFORE_PROMPT_STEP = "hook:beforePrompt";
export const afterToolStep = (turn: number): string => `hook:afterTool:${turn}`;
export const AFTER_PROMPT_STEP = "hook:afterPrompt";

/**
 * The first step of a prompt in journals of version 1, which holds the input alone; of one that waited in a session's
 * queue, with its number there.
 */
export const inputStep = (queued?: number): string => (queued === undefined ? INPUT : `${INPUT}:${queued}`);

/** The number in the queue of the input that a step of version 1 holds; undefined if it did not wait, and for another step. */
export const queuedNumber = (step: string): number | undefined =>
  step.startsWith(`${INPUT}:`) ? Number(step.slice(INPUT.length + 1)) : undefined;

/** Whether a step is the first of a prompt. */
export const isInputStep = (step: string): boolean =>
  step === BEGIN_STEP || step === INPUT || queuedNumber(step) !== undefined;

/** The last step of a prompt. */
export const END_STEP = "end";

/** The step of a session that holds what the code in the agent's prose gave, as Markdown; by a hash of the code. */
export const identityStep = (hash: string): string => IDENTITY + hash;

/** Whether a step holds what the code in the agent's prose gave. */
export const isIdentityStep = (step: string): boolean => step.startsWith(IDENTITY);

/**
 * Numbered steps of a session itself, counted from 1: an input is put into its queue, or taken back; the transcript ends
 * with an earlier prompt from here on; the agent is another one from here on.
 */
type NumberedStep = "queue" | "unqueue" | "head" | "agent";

/** The name of a numbered step. */
export const numberedStep = (kind: NumberedStep, number: number): string => `${kind}:${number}`;

/** The number of a step of this kind; undefined for any other step. */
export const numberOf = (kind: NumberedStep, step: string): number | undefined =>
  step.startsWith(`${kind}:`) ? Number(step.slice(kind.length + 1)) : undefined;

/** The first line of a journal that goes on from an older one: what that came to. */
export const SEGMENT_STEP = "segment";

/** The step in which the policy is applied to the calls of a turn. */
export const policyStep = (turn: number): string => POLICY + turn;

/** Whether a step holds what the policy decided. */
export const isPolicyStep = (step: string): boolean => step.startsWith(POLICY);

/** The step in which the user is asked about a call, before the step of the call. */
export const permissionStep = (callStep: string): string => `permission:${callStep}`;

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

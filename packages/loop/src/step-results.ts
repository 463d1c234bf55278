import { isAmount, isList, isOptionalAmount, isRecord } from "@mdx-ai/base";
import { type Cost, isTime, isUserMessage, type UserMessage } from "@mdx-ai/models";
import { isCost } from "./cost.ts";
import { isLimitName } from "./plan.ts";
import type { Spent, SpentElsewhere, Timed } from "./types/limit.ts";
import type { PermissionDecision } from "./types/permission.ts";
import type { Answer, ApprovalQuestion, BudgetSubject, Question } from "./types/question.ts";

/** A wait before a model is asked again. */
export interface Wait {
  /** Milliseconds. */
  readonly delay: number;
  /** Milliseconds since 1970. */
  readonly until: number;
}

export const isWait = (value: unknown): value is Wait =>
  isRecord(value) && isAmount(value["delay"]) && isAmount(value["until"]);

/** Texts for the model: after the user's input the note about the mode, skills, and additions by modules; elsewhere those of modules alone. */
export interface AddedContext {
  readonly message?: UserMessage;
  /** Why a module denies the prompt. */
  readonly denied?: string;
}

export const isAddedContext = (value: unknown): value is AddedContext =>
  isRecord(value) &&
  (value["message"] === undefined || isUserMessage(value["message"])) &&
  (value["denied"] === undefined || typeof value["denied"] === "string");

/** How many of the user's further messages are part of the transcript from here on. */
export interface Delivery {
  readonly upTo: number;
}

export const isDelivery = (value: unknown): value is Delivery =>
  isRecord(value) && Number.isSafeInteger(value["upTo"]) && Number(value["upTo"]) >= 0;

/** The counted or estimated tokens of a request. */
export interface MeasuredRequest {
  readonly tokens: number;
}

export const isMeasuredRequest = (value: unknown): value is MeasuredRequest =>
  isRecord(value) && isAmount(value["tokens"]);

/**
 * The decision about a call: it runs, the user is asked, a rule or a hook denies it, or it is refused because it cannot
 * run. The model receives the reason.
 */
export type CallDecision = "run" | "ask" | { readonly deny: string } | { readonly refuse: string };

/** The policy's decisions about the calls of an answer, in order. */
export interface PolicyResult {
  readonly calls: readonly CallDecision[];
}

export const isPolicyResult = (value: unknown): value is PolicyResult =>
  isRecord(value) && isList(value["calls"], isDecision);

const isDecision = (value: unknown): value is CallDecision =>
  value === "run" ||
  value === "ask" ||
  (isRecord(value) && (typeof value["deny"] === "string" || typeof value["refuse"] === "string"));

export function isPermissionDecision(value: unknown): value is PermissionDecision & Timed {
  if (!isRecord(value)) return false;
  const { action, reason, at } = value;
  return isOptionalAmount(at) && (action === "allow" || (action === "deny" && typeof reason === "string"));
}

/** The question about a call, or the decision if no question is needed. */
export type AskedCall = ({ readonly question: ApprovalQuestion } & Timed) | { readonly decision: PermissionDecision };

export const isAskedCall = (value: unknown): value is AskedCall =>
  isRecord(value) &&
  isOptionalAmount(value["at"]) &&
  (isApprovalQuestion(value["question"]) || isPermissionDecision(value["decision"]));

const isApprovalQuestion = (value: unknown): value is ApprovalQuestion =>
  isRecord(value) &&
  value["kind"] === "approval" &&
  typeof value["id"] === "string" &&
  typeof value["session"] === "string" &&
  isRequest(value["request"]);

/** The fields that determine an answer; the others are for people. */
const isRequest = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value["toolName"] === "string" &&
  typeof value["pattern"] === "string" &&
  isRecord(value["args"]) &&
  isRecord(value["access"]);

export const isSpentElsewhere = (value: unknown): value is SpentElsewhere =>
  isRecord(value) &&
  isOptionalAmount(value["at"]) &&
  [value["prompt"], value["day"], value["agent"]].every((span) => span === undefined || isSpent(span)) &&
  (value["raised"] === undefined || isRaised(value["raised"]));

const isSpent = (value: unknown): value is Spent =>
  isRecord(value) && isAmount(value["tokens"]) && isAmount(value["usd"]);

const isRaised = (value: unknown): boolean =>
  isRecord(value) && Object.entries(value).every(([name, by]) => isLimitName(name) && isAmount(by));

/** The question about a reached limit. */
export type BudgetQuestion = Question & BudgetSubject;

export const isBudgetQuestion = (value: unknown): value is BudgetQuestion =>
  isRecord(value) &&
  value["kind"] === "budget" &&
  typeof value["id"] === "string" &&
  typeof value["session"] === "string" &&
  isLimitName(value["limit"]) &&
  ["spent", "value", "adds"].every((name) => isAmount(value[name]));

export const isAnswer = (value: unknown): value is Answer =>
  isRecord(value) &&
  (typeof value["answer"] === "string" || isRecord(value["answer"])) &&
  ["reason", "user"].every((name) => value[name] === undefined || typeof value[name] === "string") &&
  typeof value["by"] === "string";

/** An input in the session's queue. */
export interface QueuedText {
  readonly text: string;
  /** The command as typed, if the text was expanded from one. */
  readonly typed?: string;
  /** What it has cost: it is the result of an agent. */
  readonly cost?: Cost;
  /** The prompt's id. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export const isQueuedText = (value: unknown): value is QueuedText =>
  isRecord(value) &&
  typeof value["text"] === "string" &&
  (value["typed"] === undefined || typeof value["typed"] === "string") &&
  (value["cost"] === undefined || isCost(value["cost"])) &&
  typeof value["id"] === "string" &&
  isTime(value["at"]);

/** The transcript ends with an earlier prompt from here on. */
export interface NewHead {
  readonly prompt: number;
  /** Milliseconds since 1970. Not checked, since only lists show it. */
  readonly at?: number;
  /** Whether the files that later prompts changed were restored. */
  readonly isUndo?: boolean;
}

export const isNewHead = (value: unknown): value is NewHead => isRecord(value) && Number.isSafeInteger(value["prompt"]);

/** The parts of an agent that a model receives, by readable names, each with a hash of its text. */
export type AgentParts = Readonly<Record<string, string>>;

/** The part with all of the prose, which has parts of its own as well. */
export const PROSE_PART = "prose";

const WITHIN_PROSE = /^(?:name|introduction|code of the prose|section ".*")$/s;

/** The names of changed parts, without that of the whole prose if one of its parts is among them. */
export function namedChanges(changed: readonly string[]): readonly string[] {
  return changed.some((name) => WITHIN_PROSE.test(name)) ? changed.filter((name) => name !== PROSE_PART) : changed;
}

export const isAgentParts = (value: unknown): value is AgentParts =>
  isRecord(value) && Object.values(value).every((hash) => typeof hash === "string");

export const isText = (value: unknown): value is string => typeof value === "string";

/** What an undo does; journaled before the first file is restored. */
export interface UndoPlan {
  /** The prompt from which the conversation continues; 0 if it starts over. */
  readonly to: number;
  /** The session's last prompt when the undo began. */
  readonly lastPrompt: number;
  /** Whether to restore files that have changed since. */
  readonly force: boolean;
}

export const isUndoPlan = (value: unknown): value is UndoPlan =>
  isRecord(value) &&
  [value["to"], value["lastPrompt"]].every(Number.isSafeInteger) &&
  typeof value["force"] === "boolean";

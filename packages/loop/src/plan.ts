import { isAmount, isList, isOptionalAmount, isRecord } from "@mdx-ai/base";
import { type Cost, isTime, isUserMessage, type ModelParameters, type UserMessage } from "@mdx-ai/models";
import type { ModelFacts } from "@mdx-ai/models/prices";
import type { PromptLimits } from "@mdx-ai/parser";
import type { ContextPolicy } from "./context/sent-messages.ts";
import { isCost } from "./cost.ts";
import type { PromptHook, PromptOutcome } from "./types/event.ts";
import type { LimitName, ReachedLimit } from "./types/limit.ts";
import type { PlannedTool } from "./types/tool-registry.ts";

/** A model of the plan. */
export interface PlannedModel {
  readonly provider: string;
  readonly name: string;
  /** Its window in tokens and its prices, if known. */
  readonly facts?: ModelFacts;
}

/** A model as people write it: `provider/name`. */
export const fullName = ({ provider, name }: Pick<PlannedModel, "provider" | "name">): string => `${provider}/${name}`;

/** The settings that were fixed when a prompt began. Later changes do not affect a running prompt. */
export interface PromptPlan {
  /** The models, in the order in which they are tried. Not empty. */
  readonly models: readonly PlannedModel[];
  readonly parameters: ModelParameters;
  /** Seconds before each retry of a failed call; null: the loop chooses. */
  readonly retries: readonly (number | null)[];
  /** An absent limit does not apply. */
  readonly limits: PromptLimits;
  /** The prompt's deadline, in milliseconds since 1970. */
  readonly deadline?: number;
  readonly context: ContextPolicy;
  /** Bytes of the system prompt and the tools: an upper bound of their tokens. */
  readonly head: number;
  readonly tools: readonly PlannedTool[];
  /** The cost of the session before the prompt, if a limit needs it. */
  readonly sessionBefore?: Cost;
  /** Whether a limit counts what the results of the prompt do not say, or may be raised: a step reads it before each request. */
  readonly isMetered?: true;
  /** The task of heartbeat.md that the prompt is for. */
  readonly task?: string;
  /** The note about the user's mode to send with the input. Absent: none. */
  readonly modeNote?: string;
  /** The names of the skills whose texts accompany the input. Absent: none. */
  readonly skills?: readonly string[];
  /** The hooks that modules have. Absent: none. */
  readonly hooks?: readonly PromptHook[];
  /** The session's working directory, links resolved; absent if it is the agent directory. Only for lists: no model receives it. */
  readonly workspace?: string;
}

/** The result of the first step of a prompt. */
export interface PromptBegin {
  readonly input: UserMessage;
  /** The prompt's id, which `submit` returned. Unique within the session. */
  readonly id: string;
  /** The input's number in the session's queue, if it was queued. */
  readonly queued?: number;
  readonly plan: PromptPlan;
}

/** Whether a parsed JSON value is the beginning of a prompt. Fields that only readers need are not checked. */
export const isPromptBegin = (value: unknown): value is PromptBegin =>
  isRecord(value) && isUserMessage(value["input"]) && typeof value["id"] === "string" && isPlan(value["plan"]);

const isPlan = (value: unknown): value is PromptPlan =>
  isRecord(value) &&
  isList(value["models"], isPlannedModel) &&
  value["models"].length > 0 &&
  isList(value["tools"], isPlannedTool) &&
  isList(value["retries"], (wait) => wait === null || isAmount(wait)) &&
  typeof value["head"] === "number" &&
  isRecord(value["parameters"]) &&
  isLimits(value["limits"]) &&
  hasAmounts(value["context"], ["messages", "compactAt", "window"]) &&
  isOptionalAmount(value["deadline"]) &&
  (value["sessionBefore"] === undefined || isCost(value["sessionBefore"])) &&
  (value["task"] === undefined || typeof value["task"] === "string") &&
  (value["modeNote"] === undefined || typeof value["modeNote"] === "string") &&
  (value["skills"] === undefined || isList(value["skills"], (name) => typeof name === "string")) &&
  (value["hooks"] === undefined || isList(value["hooks"], (name) => typeof name === "string"));

/** Whether a value is an object in which these members are amounts or absent. */
const hasAmounts = (value: unknown, names: readonly string[]): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && names.every((name) => isOptionalAmount(value[name]));

const isLimits = (value: unknown): boolean =>
  hasAmounts(value, ["turns", "toolCalls", "tokens", "usd", "seconds", "repeats"]) &&
  [value["session"], value["day"], value["agent"]].every(
    (span) => span === undefined || hasAmounts(span, ["tokens", "usd"]),
  );

const isPlannedModel = (value: unknown): boolean =>
  isRecord(value) && typeof value["provider"] === "string" && typeof value["name"] === "string";

const isPlannedTool = (value: unknown): boolean =>
  isRecord(value) && typeof value["wire"] === "string" && typeof value["name"] === "string";

/** The last step of a prompt. A prompt without it was interrupted. */
export interface PromptEnd {
  readonly outcome: PromptOutcome;
  /** With outcome "limit". */
  readonly limit?: ReachedLimit;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Input that arrived too late for the model. Absent if there is none. */
  readonly pendingInput?: readonly string[];
}

const OUTCOMES: readonly unknown[] = ["done", "error", "aborted", "limit"] satisfies PromptOutcome[];

const LIMITS: readonly unknown[] = [
  "turns",
  "tokens",
  "usd",
  "seconds",
  "repeats",
  "pauses",
  "session.tokens",
  "session.usd",
  "day.tokens",
  "day.usd",
  "agent.tokens",
  "agent.usd",
] satisfies LimitName[];

/** Whether a parsed JSON value is the end of a prompt. */
export const isPromptEnd = (value: unknown): value is PromptEnd =>
  isRecord(value) &&
  OUTCOMES.includes(value["outcome"]) &&
  isTime(value["at"]) &&
  (value["limit"] === undefined || isReachedLimit(value["limit"]));

const isReachedLimit = (value: unknown): boolean =>
  isRecord(value) && isLimitName(value["limit"]) && isAmount(value["value"]);

/** Whether a parsed JSON value names a limit. */
export const isLimitName = (value: unknown): value is LimitName => LIMITS.includes(value);

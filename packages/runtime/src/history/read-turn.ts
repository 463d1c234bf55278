import { isAmount, isRecord } from "@mdx-ai/base";
import {
  isAssistantMessage,
  isToolResultMessage,
  isUserMessage,
  type ToolResultMessage,
  type UserMessage,
} from "@mdx-ai/models";
import { isCompactionOutcome } from "../context/compaction-outcome.ts";
import { isDelivery } from "../hosts/inbox.ts";
import { isWait } from "../hosts/local-host.ts";
import { isPermissionDecision } from "../hosts/permission-decision.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { isMeasuredRequest } from "../loop/context-room.ts";
import { type CallDecision, isPolicyResult } from "../loop/decide-calls.ts";
import { isPromptBegin, isPromptEnd } from "../loop/plan.ts";
import { isAddedContext } from "../loop/run-prompt.ts";
import { type ReadStep, readStep, type StepKind } from "../step-kinds.ts";
import { callSteps, isStepOf, permissionStep } from "../step-names.ts";
import type { PermissionDecision } from "../types/permission.ts";
import type { Attempt, CallHistory, TurnHistory, TurnStep } from "./prompt-history.ts";

/** The kinds of steps that belong to a turn. */
export const TURN_KINDS: ReadonlySet<StepKind> = new Set([
  "model",
  "retry",
  "compaction",
  "compactionRetry",
  "size",
  "policy",
  "permission",
  "tool",
  "afterTool",
  "deliver",
]);

interface OpenCall {
  isStarted: boolean;
  result: ToolResultMessage | undefined;
  approval: PermissionDecision | undefined;
}

const NOTHING: Readonly<OpenCall> = { isStarted: false, result: undefined, approval: undefined };

/** Reads the lines of one turn, one after the other. A session has many turns, so it is sparing with collections. */
export class TurnReader {
  readonly number: number;
  readonly #steps: TurnStep[] = [];
  /** By the steps of the calls. */
  #calls: Map<string, OpenCall> | undefined;
  #answer: Attempt | undefined;
  #policy: readonly CallDecision[] | undefined;
  /** How many of the messages that the user sent meanwhile the model has received with it. */
  delivered = 0;

  constructor(number: number) {
    this.number = number;
  }

  start(step: string): void {
    this.#call(step).isStarted = true;
  }

  /** Returns whether the result says something. */
  add({ kind, attempt }: ReadStep, step: string, result: unknown): boolean {
    switch (kind) {
      case "model":
        if (!isAssistantMessage(result)) return false;
        this.#answer = { type: "attempt", step, attempt, message: result };
        this.#steps.push(this.#answer);
        return true;
      case "compaction":
        if (!isCompactionOutcome(result)) return false;
        this.#steps.push({ type: "summary", step, attempt, outcome: result });
        return true;
      case "retry":
      case "compactionRetry":
        return this.#addWait(step, kind === "compactionRetry", result);
      case "deliver":
        if (!isDelivery(result)) return false;
        this.delivered = result.upTo;
        return true;
      case "policy":
        if (!isPolicyResult(result)) return false;
        this.#policy = result.calls;
        return true;
      case "permission":
        if (!isPermissionDecision(result)) return false;
        this.#call(step.slice(PERMISSION.length)).approval = result;
        return true;
      case "tool":
        if (!isCallResult(result, step)) return false;
        this.#call(step).result = result;
        return true;
      default:
        return true;
    }
  }

  /** The turn, and the steps of calls that are none of its own. */
  history(delivered: readonly UserMessage[]): { readonly turn: TurnHistory; readonly strangers: readonly string[] } {
    const calls = this.#callHistories();
    const strangers = this.#strangers(calls);
    const turn = {
      number: this.number,
      delivered,
      steps: this.#steps,
      answer: this.#answer,
      policy: this.#policy,
      calls,
      lacksAnswer: (this.#answer === undefined && this.#policy !== undefined) || strangers.length > 0,
    };
    return { turn, strangers };
  }

  #strangers(calls: readonly CallHistory[]): readonly string[] {
    const known = this.#calls;
    if (known === undefined || known.size === calls.filter(({ step }) => known.has(step)).length) return [];
    const own = new Set(calls.map(({ step }) => step));
    const strangers = [...known].filter(([step]) => !own.has(step));
    return strangers.flatMap(([step, { isStarted, result, approval }]) => [
      ...(isStarted || result ? [step] : []),
      ...(approval ? [permissionStep(step)] : []),
    ]);
  }

  #call(step: string): OpenCall {
    this.#calls ??= new Map();
    const call = this.#calls.get(step) ?? { ...NOTHING };
    this.#calls.set(step, call);
    return call;
  }

  #addWait(step: string, isForSummary: boolean, result: unknown): boolean {
    const value = isRecord(result) ? result["delay"] : undefined;
    const delay = isAmount(value) ? value : undefined;
    this.#steps.push({ type: "wait", step, isForSummary, delay });
    return delay !== undefined;
  }

  /** The calls of an answer that broke off are not run. */
  #callHistories(): readonly CallHistory[] {
    const message = this.#answer?.message;
    if (message === undefined || message.stopReason === "error" || message.stopReason === "aborted") return [];
    return callSteps(message, this.number).map(({ call, step }, index) => {
      const { isStarted, result, approval } = this.#calls?.get(step) ?? NOTHING;
      return { step, call, isStarted, result, decision: this.#policy?.[index], approval };
    });
  }
}

const PERMISSION = permissionStep("");

/** Whether a value that came out of JSON is the result of the very call that a step answers. */
const isCallResult = (value: unknown, step: string): value is ToolResultMessage =>
  isToolResultMessage(value) && isStepOf(step, value.toolCallId);

/** The valid results, for the steps from which a prompt is resumed. */
const GUARDS: Partial<Record<StepKind, (result: unknown, step: string) => boolean>> = {
  begin: isPromptBegin,
  beforePrompt: isAddedContext,
  model: isAssistantMessage,
  retry: isWait,
  compaction: isCompactionOutcome,
  compactionRetry: isWait,
  size: isMeasuredRequest,
  policy: isPolicyResult,
  permission: isPermissionDecision,
  tool: isCallResult,
  afterTool: isRecord,
  steer: isUserMessage,
  deliver: isDelivery,
  afterPrompt: isRecord,
  end: isPromptEnd,
};

/** Whether the result of a line can be one of its step; true for a line that has none. Pure. */
export function isReadable(line: JournalLine): boolean {
  return !("result" in line) || GUARDS[readStep(line.step).kind]?.(line.result, line.step) !== false;
}

import {
  type CallDecision,
  callSteps,
  isAddedContext,
  isAskedCall,
  isCompactionOutcome,
  isDelivery,
  isPermissionDecision,
  isPolicyResult,
  isResultOf,
  isWait,
  type PermissionDecision,
  type ReadStep,
  STEPS,
} from "@mdx-ai/loop";
import { isAssistantMessage, type ToolResultMessage, type UserMessage } from "@mdx-ai/models";
import type { JournalLine } from "../journal/journal.ts";
import type { Attempt, CallHistory, TurnHistory, TurnStep } from "./prompt-history.ts";

interface OpenCall {
  isStarted: boolean;
  result: ToolResultMessage | undefined;
  approval: PermissionDecision | undefined;
  /** The steps of its question to the user. */
  asked: string[] | undefined;
}

const NOTHING: Readonly<OpenCall> = { isStarted: false, result: undefined, approval: undefined, asked: undefined };

/** Reads the lines of one turn, one after the other. Creates few collections, since a session has many turns. */
export class TurnReader {
  readonly number: number;
  readonly #steps: TurnStep[] = [];
  /** By the steps of the calls. */
  #calls: Map<string, OpenCall> | undefined;
  #answer: Attempt | undefined;
  #policy: readonly CallDecision[] | undefined;
  /** How many of the user's further messages the model received with it. */
  delivered = 0;
  /** What modules added behind the results. */
  readonly #added: UserMessage[] = [];

  constructor(number: number) {
    this.number = number;
  }

  start(step: string): void {
    this.#call(step).isStarted = true;
  }

  /** Returns whether the result is known. */
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
      case "question":
      case "answer":
      case "permission":
        return this.#addDecision(kind, step, result);
      case "afterTool":
      case "beforeEnd":
        if (isAddedContext(result) && result.message) this.#added.push(result.message);
        return isAddedContext(result);
      case "tool":
        if (!STEPS.tool.accepts(result, step)) return false;
        this.#call(step).result = result;
        return true;
      default:
        return true;
    }
  }

  /** The turn, and the steps of calls that do not belong to it. */
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
      added: this.#added,
      lacksAnswer: (this.#answer === undefined && this.#policy !== undefined) || strangers.length > 0,
    };
    return { turn, strangers };
  }

  #strangers(calls: readonly CallHistory[]): readonly string[] {
    const known = this.#calls;
    if (known === undefined || known.size === calls.filter(({ step }) => known.has(step)).length) return [];
    const own = new Set(calls.map(({ step }) => step));
    const strangers = [...known].filter(([step]) => !own.has(step));
    return strangers.flatMap(([step, { isStarted, result, asked }]) => [
      ...(isStarted || result ? [step] : []),
      ...(asked ?? []),
    ]);
  }

  #call(step: string): OpenCall {
    this.#calls ??= new Map();
    const call = this.#calls.get(step) ?? { ...NOTHING };
    this.#calls.set(step, call);
    return call;
  }

  /** Adds a step about a call before that of the call. */
  #addDecision(kind: "question" | "answer" | "permission", step: string, result: unknown): boolean {
    if (!STEPS[kind].accepts(result)) return false;
    const call = this.#call(step.slice(STEPS[kind].name("").length));
    call.asked ??= [];
    call.asked.push(step);
    if (isPermissionDecision(result)) call.approval = result;
    else if (isAskedCall(result) && "decision" in result) call.approval = result.decision;
    return true;
  }

  #addWait(step: string, isForSummary: boolean, result: unknown): boolean {
    const delay = isWait(result) ? result.delay : undefined;
    this.#steps.push({ type: "wait", step, isForSummary, delay });
    return delay !== undefined;
  }

  /** The calls of an incomplete answer are not run. */
  #callHistories(): readonly CallHistory[] {
    const message = this.#answer?.message;
    if (message === undefined || message.stopReason === "error" || message.stopReason === "aborted") return [];
    return callSteps(message, this.number).map(({ call, step }, index) => {
      const { isStarted, result, approval } = this.#calls?.get(step) ?? NOTHING;
      return { step, call, isStarted, result, decision: this.#policy?.[index], approval };
    });
  }
}

/** Whether the result of a line is valid for its step; true for a line without a result. Pure. */
export const isReadable = (line: JournalLine): boolean => !("result" in line) || isResultOf(line.step, line.result);

import type { ToolResultMessage, UserMessage } from "@mdx-ai/models";
import type { CallDecision } from "../loop/decide-calls.ts";
import { callSteps, permissionStep } from "../step-names.ts";
import type { PermissionDecision } from "../types/permission.ts";
import type { Attempt, CallHistory, TurnHistory, TurnStep } from "./prompt-history.ts";

/** Collects what the lines of one turn say. */
export class TurnReader {
  readonly number: number;
  readonly #steps: TurnStep[] = [];
  readonly #started = new Set<string>();
  readonly #results = new Map<string, ToolResultMessage>();
  readonly #approvals = new Map<string, PermissionDecision>();
  #answer: Attempt | undefined;
  policy: readonly CallDecision[] | undefined;
  /** How many of the messages that the user sent meanwhile the model has received with it. */
  delivered = 0;

  constructor(number: number) {
    this.number = number;
  }

  add(step: TurnStep): void {
    this.#steps.push(step);
    if (step.type === "attempt") this.#answer = step;
  }

  start(step: string): void {
    this.#started.add(step);
  }

  finish(step: string, result: ToolResultMessage): void {
    this.#results.set(step, result);
  }

  decide(step: string, decision: PermissionDecision): void {
    this.#approvals.set(step, decision);
  }

  history(delivered: readonly UserMessage[]): TurnHistory {
    const { number, policy } = this;
    const answer = this.#answer;
    return { number, delivered, steps: this.#steps, answer, policy, calls: this.#calls() };
  }

  /** The steps of calls that no answer made. */
  strangers(calls: readonly CallHistory[]): readonly string[] {
    const named = [...this.#started, ...this.#results.keys(), ...this.#approvals.keys()];
    if (named.length === 0) return [];
    const own = new Set(calls.flatMap(({ step }) => [step, permissionStep(step)]));
    return named.filter((step) => !own.has(step));
  }

  #calls(): readonly CallHistory[] {
    if (this.#answer === undefined) return [];
    const { message } = this.#answer;
    if (message.stopReason === "error" || message.stopReason === "aborted") return [];
    return callSteps(message, this.number).map(({ call, step }, index) => {
      const approval = this.#approvals.get(permissionStep(step));
      return {
        step,
        call,
        isStarted: this.#started.has(step),
        result: this.#results.get(step),
        decision: this.policy?.[index] ?? decisionOf(approval),
        approval,
      };
    });
  }
}

/** Version 1 has no policy: what it journaled of a call is the user's answer, or the denial of a rule. */
function decisionOf(approval: PermissionDecision | undefined): CallDecision | undefined {
  if (approval === undefined) return undefined;
  return approval.verdict === "deny" ? { deny: approval.reason } : "ask";
}

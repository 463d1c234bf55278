import type { UnknownRecord } from "@mdx-ai/base";
import type { AssistantMessage, ToolCall, ToolResultMessage } from "@mdx-ai/models";
import type { PermissionDecision } from "../types/permission.ts";
import type { ToolResult } from "../types/tool.ts";
import type { PlannedTool, ToolAnswer, ToolOutcome } from "../types/tool-registry.ts";
import { callRefusal, decideCalls } from "./decide-calls.ts";
import type { StepContext } from "./host.ts";
import type { PromptRun } from "./prompt-effects.ts";
import { isSameCall, nextStreak, noted, type RepeatWatch, type Streak } from "./repeat-watch.ts";
import type { CallDecision } from "./step-results.ts";
import { type CallStep, callSteps, STEPS } from "./steps.ts";
import { errorOutcome, INTERRUPTED, NOT_STARTED, resultMessage, UNCONFIRMED } from "./unrun-call.ts";

/** The tool calls of one answer. */
export interface ToolTurn {
  readonly turn: number;
  readonly message: AssistantMessage;
  /** Calls of the prompt before these. */
  readonly callsBefore: number;
  readonly repeats: RepeatWatch;
}

/**
 * Runs the tool calls of a message. The policy is applied first; allowed calls start side by side, those that need an
 * approval are asked about one after another and start when allowed. They end in the order of completion; the result
 * messages come in the order of the calls, when all have ended.
 */
export async function runCalls(
  run: PromptRun,
  { turn, message, callsBefore, repeats }: ToolTurn,
): Promise<ToolResultMessage[]> {
  const steps = callSteps(message, turn);
  if (steps.length === 0) return [];
  const calls = steps.map(({ call }) => call);
  const decisions = await decideCalls(run, { turn, message, calls, callsBefore });
  const results = await new CallsOfAnswer(run, repeats).results(steps, decisions);
  for (const [index, call] of calls.entries()) {
    const result = results[index];
    if (result) repeats.add(call, result);
  }
  await reportResults(run, turn, { calls, results });
  return results;
}

async function reportResults(
  { host, plan, effects }: PromptRun,
  turn: number,
  { calls, results }: { readonly calls: readonly ToolCall[]; readonly results: readonly ToolResultMessage[] },
): Promise<void> {
  if (plan.hooks?.includes("afterTool")) {
    const report = async ({ signal }: StepContext): Promise<UnknownRecord> => {
      for (const [index, call] of calls.entries()) {
        const result = results[index];
        if (result) await effects.hooks.afterTool(call, result, signal);
      }
      return {};
    };
    await host.step(STEPS.afterTool.name(turn), report, { accepts: STEPS.afterTool.accepts, deadline: plan.deadline });
  }
  for (const result of results) {
    host.emit({ type: "message_start", message: result });
    host.emit({ type: "message_end", message: result });
  }
}

/** Undefined if it could not be kept. */
type KnownOutcome = ToolAnswer | undefined;

class CallsOfAnswer {
  readonly #run: PromptRun;
  /** The result of the last call of the earlier answers. */
  readonly #before: Streak | undefined;
  /** The results of the calls, as soon as they are known. */
  readonly #outcomes = new Map<CallStep, PromiseWithResolvers<KnownOutcome>>();

  constructor(run: PromptRun, repeats: RepeatWatch) {
    this.#run = run;
    this.#before = repeats.last;
  }

  /** If a call cannot be kept, rejects when the others have ended: nothing may run after its prompt. */
  async results(steps: readonly CallStep[], decisions: readonly CallDecision[]): Promise<ToolResultMessage[]> {
    for (const step of steps) this.#outcomes.set(step, Promise.withResolvers());
    const results = new Map<CallStep, Promise<ToolResultMessage>>();
    try {
      await this.#begin(steps, decisions, results);
      return await Promise.all(steps.flatMap((step) => results.get(step) ?? []));
    } finally {
      await Promise.allSettled(results.values());
    }
  }

  async #begin(
    steps: readonly CallStep[],
    decisions: readonly CallDecision[],
    results: Map<CallStep, Promise<ToolResultMessage>>,
  ): Promise<void> {
    const { host } = this.#run;
    const asked: CallStep[] = [];
    for (const [index, step] of steps.entries()) {
      const { id: toolCallId, arguments: args } = step.call;
      host.emit({ type: "tool_execution_start", toolCallId, toolName: this.#nameOf(step.call), args });
      const decision = decisions[index] ?? { refuse: NOT_STARTED };
      if (decision === "ask") asked.push(step);
      else if (decision === "run") results.set(step, this.#watched(step, this.#start(step)));
      else results.set(step, Promise.resolve(await this.#watched(step, this.#decline(step, decision))));
    }
    for (const step of asked) {
      const decision = await host.ask(STEPS.permission.name(step.step), step.call);
      this.#reportDecision(step.call, decision.action);
      const isAllowed = decision.action === "allow";
      const result = isAllowed ? this.#start(step, decision) : this.#refuse(step, decision.reason);
      results.set(step, this.#watched(step, result));
    }
  }

  /** The journal may fail one call while another is waited for; the wait for all of them rejects then. */
  #watched(step: CallStep, result: Promise<ToolResultMessage>): Promise<ToolResultMessage> {
    const outcome = this.#outcomes.get(step);
    result.then(outcome?.resolve, () => outcome?.resolve(undefined));
    return result;
  }

  #decline(step: CallStep, decision: Exclude<CallDecision, string>): Promise<ToolResultMessage> {
    if ("refuse" in decision) return this.#refuse(step, decision.refuse);
    this.#reportDecision(step.call, "deny");
    return this.#refuse(step, decision.deny);
  }

  #start(step: CallStep, approval?: PermissionDecision): Promise<ToolResultMessage> {
    const { readOnly, idempotent } = this.#toolOf(step.call) ?? {};
    const execute = async (context: StepContext): Promise<ToolOutcome> => {
      const outcome = await this.#execute(step.call, approval, context);
      this.#outcomes.get(step)?.resolve(outcome);
      return noted(await this.#streakBefore(step), step.call, outcome);
    };
    return this.#answer(step, execute, {
      isRepeatable: readOnly === true || idempotent === true,
      deferFlush: readOnly === true,
    });
  }

  /** A call that must not run never counts as started. */
  #refuse(step: CallStep, reason: string): Promise<ToolResultMessage> {
    return this.#answer(step, async () => errorOutcome(reason), { isRepeatable: true, deferFlush: true });
  }

  async #execute(
    call: ToolCall,
    approval: PermissionDecision | undefined,
    { signal }: StepContext,
  ): Promise<ToolOutcome> {
    const { effects, host } = this.#run;
    if (signal.aborted) return errorOutcome(NOT_STARTED);
    // The policy may have been applied by an earlier process, whose tools were others.
    const refusal = callRefusal(this.#run, call);
    if (refusal !== undefined) return errorOutcome(refusal);
    if (!(await this.#isPermitted(call, approval))) return errorOutcome(UNCONFIRMED);
    const toolName = this.#nameOf(call);
    const { id: toolCallId, arguments: args } = call;
    const onUpdate = (partialResult: ToolResult): void =>
      host.emit({ type: "tool_execution_update", toolCallId, toolName, args, partialResult });
    const { session } = effects;
    return effects.tools.run(call, { session, signal, onUpdate });
  }

  /** The streak before a call. Calls that differ do not wait for each other. */
  async #streakBefore(step: CallStep): Promise<Streak | undefined> {
    const steps = [...this.#outcomes.keys()];
    const before = steps[steps.indexOf(step) - 1];
    if (before === undefined) return this.#before;
    if (!isSameCall(before.call, step.call)) return undefined;
    const outcome = await this.#outcomes.get(before)?.promise;
    return outcome && nextStreak(await this.#streakBefore(before), before.call, outcome);
  }

  /** A journaled approval is not enough to run a call: it may have come with the directory. */
  async #isPermitted(call: ToolCall, approval: PermissionDecision | undefined): Promise<boolean> {
    const { effects, permitted } = this.#run;
    if (approval) return effects.gate.confirms(call, approval);
    return permitted.has(call) || (await effects.gate.rule(call))?.action === "allow";
  }

  async #answer(
    { call, step }: CallStep,
    execute: (context: StepContext) => Promise<ToolOutcome>,
    { isRepeatable, deferFlush }: { readonly isRepeatable: boolean; readonly deferFlush: boolean },
  ): Promise<ToolResultMessage> {
    const { host, plan, effects } = this.#run;
    const resultOf = (outcome: ToolOutcome): ToolResultMessage => resultMessage(call, outcome, effects.now());
    const message = await host.step(step, async (context) => resultOf(await execute(context)), {
      accepts: STEPS.tool.accepts,
      interrupted: isRepeatable ? undefined : () => resultOf(errorOutcome(INTERRUPTED)),
      deferFlush,
      deadline: plan.deadline,
    });
    const { content, details, isError } = message;
    const toolName = this.#nameOf(call);
    const result: ToolResult = { content, ...(details !== undefined && { details }) };
    host.emit({ type: "tool_execution_end", toolCallId: call.id, toolName, result, isError });
    return message;
  }

  #reportDecision({ id: toolCallId, name }: ToolCall, action: "allow" | "deny"): void {
    this.#run.host.emit({ type: "permission_decided", toolCallId, toolName: this.#nameOf({ name }), action });
  }

  #nameOf(call: Pick<ToolCall, "name">): string {
    return this.#toolOf(call)?.name ?? call.name;
  }

  #toolOf({ name }: Pick<ToolCall, "name">): PlannedTool | undefined {
    return this.#run.plan.tools.find(({ wire }) => wire === name);
  }
}

import type { AssistantMessage, ToolCall, ToolResultMessage, UserMessage } from "@mdx-ai/models";
import { moduleMessage } from "./content-text.ts";
import { callRefusal, decideCalls } from "./decide-calls.ts";
import type { StepContext } from "./host.ts";
import type { RepeatWatch } from "./limits.ts";
import type { PromptRun } from "./prompt-effects.ts";
import type { AddedContext, AskedCall, CallDecision } from "./step-results.ts";
import { type CallStep, callSteps, STEPS } from "./steps.ts";
import type { Timed } from "./types/limit.ts";
import type { PermissionDecision } from "./types/permission.ts";
import type { Answer, ApprovalQuestion } from "./types/question.ts";
import type { ToolResult } from "./types/tool.ts";
import type { PlannedTool, ToolOutcome } from "./types/tool-registry.ts";
import { errorOutcome, INTERRUPTED, NOT_STARTED, resultMessage } from "./unrun-call.ts";
import { excludeWait, excludeWaitOf, timed, UserTime } from "./waiting-time.ts";

/** The tool calls of one answer. */
export interface ToolTurn {
  readonly turn: number;
  readonly message: AssistantMessage;
  /** Calls of the prompt before these. */
  readonly callsBefore: number;
  readonly repeats: RepeatWatch;
}

/**
 * Runs the tool calls of a message. The policy is applied first. Allowed calls start concurrently; calls that need an
 * approval are asked about one after another and start when allowed. End events come in the order of completion; result
 * messages come in the order of the calls, when all have ended, with a note to the model after a repeated call.
 */
export async function runCalls(
  run: PromptRun,
  { turn, message, callsBefore, repeats }: ToolTurn,
): Promise<CallResults> {
  const steps = callSteps(message, turn);
  if (steps.length === 0) return { results: [] };
  const calls = steps.map(({ call }) => call);
  const decisions = await decideCalls(run, { turn, message, steps, callsBefore });
  const ended = await new CallsOfAnswer(run, turn, steps).results(decisions);
  const results = ended.map(({ call, result }) => repeats.add(call, result));
  const added = await reportResults(run, turn, { calls, results });
  return { results, ...(added && { added }) };
}

/** The results of the calls of an answer, in order, and what modules add behind them. */
export interface CallResults {
  readonly results: readonly ToolResultMessage[];
  readonly added?: UserMessage;
}

async function reportResults(
  { host, events, plan, effects }: PromptRun,
  turn: number,
  { calls, results }: { readonly calls: readonly ToolCall[]; readonly results: readonly ToolResultMessage[] },
): Promise<UserMessage | undefined> {
  let added: UserMessage | undefined;
  if (plan.hooks?.includes("afterTool")) {
    const report = async ({ signal }: StepContext): Promise<AddedContext> => {
      const texts: string[] = [];
      for (const [index, call] of calls.entries()) {
        const result = results[index];
        if (result) texts.push(...(await effects.hooks.afterTool(call, result, signal)));
      }
      return moduleMessage(texts, effects.now());
    };
    const { accepts } = STEPS.afterTool;
    const options = { accepts, effect: "outside", deadline: plan.deadline } as const;
    added = (await host.step(STEPS.afterTool.name(turn), report, options)).message;
  }
  for (const message of [...results, ...(added ? [added] : [])]) {
    events.emit({ type: "message_start", message });
    events.emit({ type: "message_end", message });
  }
  return added;
}

/** A call that waits for its question's answer. */
interface AskedStep {
  readonly step: CallStep;
  readonly question: ApprovalQuestion;
  /** When it was asked. */
  readonly asked: Timed;
}

/** An operation that runs concurrently with others. */
type Running =
  | { readonly type: "call"; readonly step: CallStep; readonly operation: Promise<ToolResultMessage> }
  | (AskedStep & { readonly type: "question"; readonly operation: Promise<Answer> });

class CallsOfAnswer {
  readonly #run: PromptRun;
  readonly #turn: number;
  readonly #steps: readonly CallStep[];
  /** The calls that still need a question. */
  readonly #asked: CallStep[] = [];
  readonly #running: Running[] = [];
  readonly #results = new Map<CallStep, ToolResultMessage>();
  readonly #userTime: UserTime;

  constructor(run: PromptRun, turn: number, steps: readonly CallStep[]) {
    this.#run = run;
    this.#turn = turn;
    this.#steps = steps;
    this.#userTime = new UserTime(() => run.effects.now());
  }

  /** Resolves to the results in the order of the calls. If a result cannot be stored, rejects once all calls have ended, so that none outlives its prompt. */
  async results(decisions: readonly CallDecision[]): Promise<readonly EndedCall[]> {
    try {
      for (const [index, step] of this.#steps.entries()) await this.#begin(step, decisions[index]);
      await this.#askNext();
      while (this.#running.length > 0) await this.#next();
    } catch (error) {
      await this.#drain();
      throw error;
    }
    return this.#steps.flatMap((step) => {
      const result = this.#results.get(step);
      return result === undefined ? [] : [{ call: step.call, result }];
    });
  }

  async #begin(step: CallStep, decision: CallDecision = { refuse: NOT_STARTED }): Promise<void> {
    const { events, effects } = this.#run;
    const { id: toolCallId, arguments: args } = step.call;
    const label = effects.tools.labelOf(step.call);
    const named = { toolCallId, toolName: this.#nameOf(step.call), args, ...(label && { label }) };
    events.emit({ type: "tool_execution_start", ...named });
    if (decision === "ask") this.#asked.push(step);
    else if (decision === "run") this.#start(step);
    else if ("refuse" in decision) await this.#refuse(step, decision.refuse);
    else await this.#decide(step, { action: "deny", reason: decision.deny });
  }

  /** Asks about the next call that has a question. */
  async #askNext(): Promise<void> {
    for (let step = this.#asked.shift(); step !== undefined; step = this.#asked.shift()) {
      const asked = await this.#question(step);
      if ("question" in asked) {
        const { question } = asked;
        this.#run.events.emit({ type: "question_asked", question });
        const operation = this.#run.host.ask(STEPS.answer.name(step.step), question);
        this.#running.push({ type: "question", step, question, asked, operation });
        return;
      }
      await this.#decide(step, asked.decision);
    }
  }

  #question(step: CallStep): Promise<AskedCall> {
    const { host, effects, plan } = this.#run;
    const id = this.#idOf(step);
    const ask = async (): Promise<AskedCall> => {
      const asked = await effects.gate.question(step.call);
      if ("action" in asked) return { decision: asked };
      this.#userTime.pause();
      return timed(this.#run, { question: { id, session: effects.session, ...asked, default: "no" } });
    };
    const { accepts } = STEPS.question;
    return host.step(STEPS.question.name(step.step), ask, { accepts, effect: "none", deadline: plan.deadline });
  }

  /** Waits for the first completed operation. */
  async #next(): Promise<void> {
    for await (const [index] of this.#run.host.inOrder(this.#operations())) {
      const [completed] = this.#running.splice(index, 1);
      if (completed?.type === "call") this.#end(completed.step, await completed.operation);
      else if (completed) {
        await this.#settle(completed, await completed.operation);
        await this.#askNext();
      }
      return;
    }
  }

  async #settle({ step, question, asked }: AskedStep, answer: Answer): Promise<void> {
    const { host, events, effects } = this.#run;
    events.emit({ type: "question_answered", questionId: question.id, answer });
    const settle = async (): Promise<PermissionDecision & Timed> => {
      this.#userTime.resume();
      return timed(this.#run, await effects.gate.settle(step.call, question, answer));
    };
    // Storing the same answer twice is harmless.
    const options = { accepts: STEPS.permission.accepts, effect: "none" } as const;
    const decision = await host.step(STEPS.permission.name(step.step), settle, options);
    excludeWait(this.#run, asked, decision);
    await this.#decide(step, decision);
  }

  async #decide(step: CallStep, decision: PermissionDecision): Promise<void> {
    const { id: toolCallId } = step.call;
    const { action } = decision;
    this.#run.events.emit({ type: "permission_decided", toolCallId, toolName: this.#nameOf(step.call), action });
    if (decision.action === "allow") this.#start(step);
    else await this.#refuse(step, decision.reason);
  }

  #start(step: CallStep): void {
    const { readOnly, idempotent } = this.#toolOf(step.call) ?? {};
    const isRepeatable = readOnly === true || idempotent === true;
    const execute = (context: StepContext): Promise<ToolOutcome> => this.#execute(step, context);
    const operation = this.#answer(step, execute, { isRepeatable, effect: readOnly === true ? "none" : "outside" });
    this.#running.push({ type: "call", step, operation });
  }

  /** A call that must not run is never marked as started. */
  async #refuse(step: CallStep, reason: string): Promise<void> {
    const refuse = async (): Promise<ToolOutcome> => errorOutcome(reason);
    this.#end(step, await this.#answer(step, refuse, { isRepeatable: true, effect: "none" }));
  }

  async #execute(step: CallStep, { signal, waiting }: StepContext): Promise<ToolOutcome> {
    const { effects, host } = this.#run;
    if (signal.aborted) return errorOutcome(NOT_STARTED);
    // An earlier process with other tools may have applied the policy.
    const refusal = await callRefusal(this.#run, step);
    if (refusal !== undefined) return errorOutcome(refusal);
    const toolName = this.#nameOf(step.call);
    const { id: toolCallId, arguments: args } = step.call;
    const onUpdate = (partialResult: ToolResult): void =>
      host.emit({ type: "tool_execution_update", toolCallId, toolName, args, partialResult });
    const asking = { id: this.#idOf(step), waiting: this.#userTime.measured(waiting) };
    return effects.tools.run(step.call, { session: effects.session, signal, onUpdate, asking });
  }

  #answer(
    { call, step }: CallStep,
    execute: (context: StepContext) => Promise<ToolOutcome>,
    { isRepeatable, effect }: { readonly isRepeatable: boolean; readonly effect: "none" | "outside" },
  ): Promise<ToolResultMessage> {
    const { host, plan, effects } = this.#run;
    const resultOf = (outcome: ToolOutcome): ToolResultMessage => resultMessage(call, outcome, effects.now());
    const run = async (context: StepContext): Promise<ToolResultMessage> => {
      const result = resultOf(await execute(context));
      const waited = this.#userTime.take();
      return plan.deadline === undefined || waited === 0 ? result : { ...result, waited };
    };
    return host.step(step, run, {
      accepts: STEPS.tool.accepts,
      interrupted: isRepeatable ? undefined : () => resultOf(errorOutcome(INTERRUPTED)),
      effect,
      deadline: plan.deadline,
    });
  }

  #end(step: CallStep, message: ToolResultMessage): void {
    const { content, details, isError } = message;
    const toolName = this.#nameOf(step.call);
    const result: ToolResult = { content, ...(details !== undefined && { details }) };
    this.#run.events.emit({ type: "tool_execution_end", toolCallId: step.call.id, toolName, result, isError });
    excludeWaitOf(this.#run, message);
    this.#results.set(step, message);
  }

  /** Waits until all operations have ended, even if they fail. */
  async #drain(): Promise<void> {
    try {
      for await (const _ of this.#run.host.inOrder(this.#operations()));
    } catch {
      // The first failure was already reported.
    }
  }

  #operations(): readonly Promise<ToolResultMessage | Answer>[] {
    return this.#running.map(({ operation }) => operation);
  }

  /** Prompt, turn and call, such as "3.1.2". */
  #idOf(step: CallStep): string {
    return `${this.#run.prompt}.${this.#turn}.${this.#steps.indexOf(step) + 1}`;
  }

  #nameOf(call: ToolCall): string {
    return this.#toolOf(call)?.name ?? call.name;
  }

  #toolOf({ name }: ToolCall): PlannedTool | undefined {
    return this.#run.plan.tools.find(({ wire }) => wire === name);
  }
}

/** A call with its result. */
interface EndedCall {
  readonly call: ToolCall;
  readonly result: ToolResultMessage;
}

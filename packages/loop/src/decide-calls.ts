import type { AssistantMessage } from "@mdx-ai/models";
import type { StepContext } from "./host.ts";
import type { PromptRun } from "./prompt-effects.ts";
import type { CallDecision, PolicyResult } from "./step-results.ts";
import { type CallStep, STEPS } from "./steps.ts";
import type { PlannedTool } from "./types/tool-registry.ts";
import { NOT_STARTED, notRunAnswer, OTHER_TOOL, tooManyCalls } from "./unrun-call.ts";

/** The calls of an answer. */
export interface CalledTools {
  readonly turn: number;
  readonly message: AssistantMessage;
  readonly steps: readonly CallStep[];
  /** Calls of the prompt before these. */
  readonly callsBefore: number;
}

/** Applies the policy to the calls of an answer, in order, in one step. Runs nothing. */
export async function decideCalls(run: PromptRun, called: CalledTools): Promise<readonly CallDecision[]> {
  const { turn, message, steps } = called;
  const unrun = notRunAnswer(message);
  if (unrun !== undefined) return steps.map(() => ({ refuse: unrun }));
  const decide = async (context: StepContext): Promise<PolicyResult> => {
    const decisions: CallDecision[] = [];
    for (const index of steps.keys()) decisions.push(await decisionOf(run, { called, index }, context));
    return { calls: decisions };
  };
  const options = { accepts: STEPS.policy.accepts, effect: "none" as const, deadline: run.plan.deadline };
  return (await run.host.step(STEPS.policy.name(turn), decide, options)).calls;
}

async function decisionOf(
  { plan, effects }: PromptRun,
  { called, index }: { readonly called: CalledTools; readonly index: number },
  { signal }: StepContext,
): Promise<CallDecision> {
  const step = called.steps[index];
  if (step === undefined || signal.aborted) return { refuse: NOT_STARTED };
  const { call } = step;
  const { toolCalls } = plan.limits;
  if (toolCalls !== undefined && called.callsBefore + index >= toolCalls) return { refuse: tooManyCalls(toolCalls) };
  const refusal = await callRefusal({ plan, effects }, step);
  if (refusal !== undefined) return { refuse: refusal };
  const ruled = await effects.gate.rule(call);
  if (ruled?.action === "deny") return { deny: ruled.reason };
  const veto = plan.hooks?.includes("beforeTool") ? await effects.hooks.beforeTool(call, signal) : undefined;
  if (veto !== undefined) return { deny: veto };
  return ruled === undefined ? "ask" : "run";
}

/**
 * Why a call cannot run here; undefined if it can. After a resume, the tool that the model called may be gone, or
 * another tool may have its wire name.
 */
export async function callRefusal(
  { plan, effects }: Pick<PromptRun, "plan" | "effects">,
  step: CallStep,
): Promise<string | undefined> {
  const { call } = step;
  const refusal = await effects.journaledRefusal(step);
  if (refusal !== undefined) return refusal;
  const isCalled = ({ wire }: PlannedTool): boolean => wire === call.name;
  const before = plan.tools.find(isCalled)?.name;
  const now = effects.tools.planned.find(isCalled)?.name;
  const isOther = before !== undefined && now !== undefined && before !== now;
  return effects.tools.refusal(call) ?? (isOther ? OTHER_TOOL : undefined);
}

import type { AssistantMessage, ToolCall } from "@mdx-ai/models";
import type { PlannedTool } from "../types/tool-registry.ts";
import type { StepContext } from "./host.ts";
import type { PromptRun } from "./prompt-effects.ts";
import type { CallDecision, PolicyResult } from "./step-results.ts";
import { STEPS } from "./steps.ts";
import { NOT_STARTED, OTHER_TOOL, SECRETS_LOST, tooManyCalls, unrunAnswer } from "./unrun-call.ts";

/** The calls of an answer. */
export interface CalledTools {
  readonly turn: number;
  readonly message: AssistantMessage;
  readonly calls: readonly ToolCall[];
  /** Calls of the prompt before these. */
  readonly callsBefore: number;
}

/** Applies the policy to the calls of an answer, in their order, in one step. Nothing runs yet. */
export async function decideCalls(run: PromptRun, called: CalledTools): Promise<readonly CallDecision[]> {
  const { turn, message, calls } = called;
  const unrun = unrunAnswer(message);
  if (unrun !== undefined) return calls.map(() => ({ refuse: unrun }));
  const decide = async (context: StepContext): Promise<PolicyResult> => {
    const decisions: CallDecision[] = [];
    for (const index of calls.keys()) decisions.push(await decisionOf(run, { called, index }, context));
    return { calls: decisions };
  };
  const options = { accepts: STEPS.policy.accepts, deferFlush: true, deadline: run.plan.deadline };
  return (await run.host.step(STEPS.policy.name(turn), decide, options)).calls;
}

async function decisionOf(
  { plan, effects, permitted }: PromptRun,
  { called, index }: { readonly called: CalledTools; readonly index: number },
  { signal }: StepContext,
): Promise<CallDecision> {
  const call = called.calls[index];
  if (call === undefined || signal.aborted) return { refuse: NOT_STARTED };
  const { toolCalls } = plan.limits;
  if (toolCalls !== undefined && called.callsBefore + index >= toolCalls) return { refuse: tooManyCalls(toolCalls) };
  const refusal = callRefusal({ plan, effects }, call);
  if (refusal !== undefined) return { refuse: refusal };
  const ruled = await effects.gate.rule(call);
  if (ruled?.action === "deny") return { deny: ruled.reason };
  const veto = plan.hooks?.includes("beforeTool") ? await effects.hooks.beforeTool(call, signal) : undefined;
  if (veto !== undefined) return { deny: veto };
  if (ruled === undefined) return "ask";
  permitted.add(call);
  return "run";
}

/**
 * Why a call cannot run with the current tools; undefined if it can. A prompt that is resumed may have lost the tool that the
 * model called, or have another one of the same wire name.
 */
export function callRefusal(
  { plan, effects }: Pick<PromptRun, "plan" | "effects">,
  call: ToolCall,
): string | undefined {
  if (effects.lacksSecrets(call)) return SECRETS_LOST;
  const isCalled = ({ wire }: PlannedTool): boolean => wire === call.name;
  const before = plan.tools.find(isCalled)?.name;
  const now = effects.tools.planned.find(isCalled)?.name;
  const isOther = before !== undefined && now !== undefined && before !== now;
  return effects.tools.refusal(call) ?? (isOther ? OTHER_TOOL : undefined);
}

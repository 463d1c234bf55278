import { isRecord } from "../record.ts";
import { type CallStep, permissionStep } from "../step-names.ts";
import type { PermissionDecision } from "../types/permission.ts";
import type { PromptRun } from "./prompt-run.ts";

/** An approval in the journal that its user does not know: the journal may have come with the directory. */
const UNCONFIRMED =
  "not run: the user's approval of this call is not known on this machine; call again to be asked anew";

/**
 * Decides whether a call may run; gives what the model is told where it may not. What is asked or refused is a step of its
 * own before that of the call, so that no call counts as started while its user thinks.
 */
export async function denialOf(run: PromptRun, { call, step }: CallStep): Promise<string | undefined> {
  const name = permissionStep(step);
  const isDecided = run.recorded.has(name);
  // A call that has begun was allowed, and is not run again. Of one that may be, the journal's word is not enough.
  if (!isDecided && run.recorded.has(step) && !run.tools.isRepeatable(call.name)) return undefined;
  const ruled = isDecided ? undefined : await run.gate.rule(call);
  if (ruled?.verdict === "allow") return undefined;
  const decide = async (): Promise<PermissionDecision> => ruled ?? run.gate.ask(call, run.signal);
  const decision = await run.step(name, decide, { accepts: isPermissionDecision });
  const { verdict } = decision;
  run.emit({ type: "permission_decided", toolCallId: call.id, toolName: run.tools.nameOf(call.name), verdict });
  if (decision.verdict === "deny") return decision.reason;
  return !isDecided || (await run.gate.confirms(call, decision)) ? undefined : UNCONFIRMED;
}

/** Whether a value that came out of JSON is a decision about a call. */
export function isPermissionDecision(value: unknown): value is PermissionDecision {
  if (!isRecord(value)) return false;
  const { verdict, reason, id } = value;
  return verdict === "deny" ? typeof reason === "string" : verdict === "allow" && typeof id === "string";
}

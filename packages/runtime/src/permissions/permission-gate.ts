import type { JsonObject, ToolCall } from "@mdx-ai/models";
import { errorMessage } from "../error-message.ts";
import type {
  ApprovalAnswer,
  ApprovalRequest,
  PermissionDecision,
  PermissionGate,
  ToolTouch,
} from "../types/permission.ts";
import type { ToolRegistry } from "../types/tool-registry.ts";
import type { ApprovedCall } from "./approval.ts";
import { patternOf } from "./call-pattern.ts";
import { rulingOfCall } from "./call-ruling.ts";
import { ABORTED, deniedText, headlessText, refusedText } from "./denial-text.ts";
import type { Permissions } from "./permissions.ts";
import type { Ruling } from "./rule-layers.ts";

/** The prompt that a gate stands in. */
export interface PermissionGateOptions {
  readonly permissions: Permissions;
  readonly session: string;
  readonly tools: Pick<ToolRegistry, "nameOf" | "argumentsOf" | "touchOf" | "permissionOf">;
}

/** The gate of a prompt. Nothing of it rejects: an abort, and what cannot be decided, is a denial. */
export function permissionGate({ permissions, session, tools }: PermissionGateOptions): PermissionGate {
  const lookAt = async (call: ToolCall): Promise<Look> => {
    const tool = tools.nameOf(call.name);
    const touch = await tools.touchOf(call);
    const args = tools.argumentsOf(call);
    const ruled = { tool, args, touch, author: tools.permissionOf(call.name) };
    const approved = (): ApprovedCall => {
      const codeHash = permissions.options.codeHashOf?.(tool);
      return { session, tool, touch, call: hashOf(call), ...(codeHash !== undefined && { codeHash }) };
    };
    return { call, tool, args, touch, approved, ruling: await rulingOfCall(permissions, ruled) };
  };
  return {
    rule: (call) =>
      orDenial(async () => {
        const { approved, ruling } = await lookAt(call);
        return settled(ruling) ?? (permissions.approvals.covering(approved()) && LET_THROUGH);
      }),
    ask: (call, signal) => {
      const answer = async (): Promise<PermissionDecision> => answerOf(permissions, await lookAt(call), signal);
      // Neither a question that nobody takes back nor the wait for one's turn outlives the prompt.
      return orDenial(() => untilStopped(() => permissions.inTurn(() => untilStopped(answer, signal)), signal));
    },
    confirms: async (call, decision) => {
      if (decision.verdict === "deny" || decision.id === undefined) return decision.verdict === "deny";
      const { id } = decision;
      return lookAt(call)
        .then(({ ruling, approved }) => ruling.verdict !== "deny" && permissions.approvals.confirms(id, approved()))
        .catch(() => false);
    },
  };
}

const LET_THROUGH: PermissionDecision = { verdict: "allow" };

/** A call, and what the rules say of it. */
interface Look {
  readonly call: ToolCall;
  /** The author's name. */
  readonly tool: string;
  /** With defaults filled in. */
  readonly args: JsonObject;
  readonly touch: ToolTouch;
  /** Made where approvals matter, not for each call that the rules settle: it hashes the arguments. */
  approved(): ApprovedCall;
  readonly ruling: Ruling;
}

function settled({ verdict, reason }: Ruling): PermissionDecision | undefined {
  switch (verdict) {
    case "allow":
      return LET_THROUGH;
    case "deny":
      return { verdict, reason: deniedText(reason) };
    case "ask":
      return undefined;
  }
}

/** What becomes of a call that the rules want asked about, when its turn has come. */
async function answerOf(permissions: Permissions, look: Look, signal: AbortSignal): Promise<PermissionDecision> {
  const { approvals, options } = permissions;
  const decided = settled(look.ruling);
  if (decided) return decided;
  const approved = look.approved();
  // The answer to the question before may have settled this one.
  const known = approvals.covering(approved);
  if (known) return { verdict: "allow", id: known.id };
  const request = requestOf(permissions, look, approved);
  if (!options.onApproval) return { verdict: "deny", reason: headlessText(request) };
  if (signal.aborted) return STOPPED;
  const answer = await options.onApproval(request, signal);
  // Given too late it would let through what the user has stopped.
  if (signal.aborted) return STOPPED;
  return decisionOf(permissions, approved, { answer, pattern: request.pattern });
}

const STOPPED: PermissionDecision = { verdict: "deny", reason: ABORTED };

function requestOf(permissions: Permissions, look: Look, approved: ApprovedCall): ApprovalRequest {
  const { call, tool, touch, ruling } = look;
  const change = permissions.approvals.isOutdatedFor(approved) ? "; its code has changed since it was approved" : "";
  return {
    session: approved.session,
    toolCallId: call.id,
    toolName: tool,
    args: look.args,
    touch,
    reason: `${ruling.reason}${change}`,
    pattern: patternOf(tool, touch, permissions.places().agentDir),
  };
}

interface Answered {
  readonly answer: ApprovalAnswer;
  readonly pattern: string;
}

async function decisionOf(
  { approvals, options }: Permissions,
  approved: ApprovedCall,
  { answer, pattern }: Answered,
): Promise<PermissionDecision> {
  if (answer.answer === "no") return { verdict: "deny", reason: refusedText(answer.reason) };
  const id = crypto.randomUUID();
  await approvals.add({ ...approved, id, at: options.now(), pattern, scope: answer.answer });
  return { verdict: "allow", id };
}

async function orDenial<Decision extends PermissionDecision | undefined>(
  decide: () => Promise<Decision>,
): Promise<Decision | PermissionDecision> {
  try {
    return await decide();
  } catch (error) {
    return { verdict: "deny", reason: `not run: ${errorMessage(error)}` };
  }
}

/** Whoever is asked may not heed the signal. */
function untilStopped(answer: () => Promise<PermissionDecision>, signal: AbortSignal): Promise<PermissionDecision> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(STOPPED);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    answer()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}

function hashOf({ id, name, arguments: args }: ToolCall): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify([id, name, args])).digest("hex");
}

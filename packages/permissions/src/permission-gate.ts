import { defined, errorMessage, isVisible, shellWord } from "@mdx-ai/base";
import {
  type Answer,
  type ApprovalRequest,
  type ApprovalSubject,
  deadlineOf,
  type NeededApproval,
  type PermissionDecision,
  type PermissionGate,
  type PlannedTool,
  type ToolAccess,
  type ToolLabel,
  type ToolRegistry,
} from "@mdx-ai/loop";
import type { ToolCall } from "@mdx-ai/models";
import type { ApprovedCall, GivenApproval } from "./approval.ts";
import { commandPrefix } from "./command-prefix.ts";
import type { PolicyDecision } from "./layered-decision.ts";
import { callPattern, escaped } from "./patterns.ts";
import type { Permissions } from "./permissions.ts";
import { deniedText, type PolicyCall, policyDecision } from "./policy.ts";

interface PermissionGateOptions {
  readonly permissions: Permissions;
  /** The name of the session, shown to the user. */
  readonly session: string;
  /** Unique for each session: an approval for one does not apply to a later session of the same name. */
  readonly sessionKey: string;
  /** The working directory of the session; the agent's own if absent. Absolute. */
  readonly cwd?: string | undefined;
  readonly tools: Pick<ToolRegistry, "argumentsOf" | "accessOf" | "labelOf" | "permissionOf" | "foreignOf" | "planned">;
}

/** The gate of a prompt. */
export function permissionGate({
  permissions,
  session,
  sessionKey,
  cwd,
  tools,
}: PermissionGateOptions): PermissionGate {
  const inspect = async (call: ToolCall): Promise<InspectedCall> => {
    const planned = tools.planned.find(({ wire }) => wire === call.name);
    const { name, origin, readOnly: isReadOnly = false } = planned ?? unknownTool(call.name);
    const tool = { name, origin };
    const access = await tools.accessOf(call, cwd);
    const args = tools.argumentsOf(call);
    const author = tools.permissionOf(call.name);
    const { server, fingerprint } = tools.foreignOf(call.name) ?? {};
    const policyCall = {
      tool,
      args,
      access,
      author,
      isReadOnly,
      server,
      mode: permissions.modeOf(sessionKey),
      sessionKey,
    };
    const decision = await policyDecision(permissions, policyCall);
    const unheld = await permissions.options.unenforcedLimits?.(tool);
    const prefix = prefixOf(access, decision);
    const approved = (): ApprovedCall => {
      const codeHash = fingerprint ?? permissions.options.codeHashOf?.(tool);
      const known = {
        ...(codeHash !== undefined && { codeHash }),
        ...(unheld !== undefined && { unheld }),
        ...(prefix !== undefined && { prefix }),
      };
      return { sessionKey, tool: name, access, ...known };
    };
    return { session, call, label: tools.labelOf(call), policyCall, decision, approved };
  };
  return {
    rule: (call) =>
      orDenial(async () => {
        const { approved, decision } = await inspect(call);
        return settled(decision) ?? (permissions.approvals.covering(approved()) && ALLOWED);
      }),
    question: (call) => orDenial(async () => questionAbout(permissions, await inspect(call))),
    settle: (call, subject, answer) =>
      orDenial(async () => settle(permissions, await inspect(call), { subject, answer })),
  };
}

/** A tool whose calls are refused; until that is checked, its limits are unknown. */
const unknownTool = (wire: string): PlannedTool => ({ wire, name: wire, origin: "custom:unknown" });

const ALLOWED: PermissionDecision = { action: "allow" };

interface InspectedCall {
  readonly session: string;
  readonly call: ToolCall;
  readonly label: ToolLabel | undefined;
  /** Includes the default values of arguments. */
  readonly policyCall: PolicyCall;
  readonly decision: PolicyDecision;
  approved(): ApprovedCall;
}

/** The prefix by which the user may approve a call; undefined if a rule asks about certain commands. */
const prefixOf = (access: ToolAccess, { isAboutCommand }: PolicyDecision): string | undefined =>
  access.kind === "command" && isAboutCommand !== true ? commandPrefix(access.command) : undefined;

function settled({ action, reason }: PolicyDecision): PermissionDecision | undefined {
  switch (action) {
    case "allow":
      return ALLOWED;
    case "deny":
      return { action, reason: deniedText(reason) };
    case "ask":
      return undefined;
  }
}

async function questionAbout(
  permissions: Permissions,
  inspected: InspectedCall,
): Promise<PermissionDecision | NeededApproval> {
  const { approvals, options } = permissions;
  const decided = settled(inspected.decision);
  if (decided) return decided;
  const approved = inspected.approved();
  // The answer to an earlier question may already decide this one.
  if (approvals.covering(approved)) return ALLOWED;
  const request = await requestOf(permissions, inspected, approved);
  if (!permissions.canAsk) return { action: "deny", reason: headlessText(request) };
  const { codeHash, unheld } = approved;
  const deadline = deadlineOf(options.answersWithin, options);
  return { kind: "approval", request, ...defined({ codeHash, unheld, deadline }) };
}

interface AnsweredSubject {
  readonly subject: ApprovalSubject;
  readonly answer: Answer;
}

async function settle(
  permissions: Permissions,
  { decision, approved: approvedNow }: InspectedCall,
  { subject, answer }: AnsweredSubject,
): Promise<PermissionDecision> {
  const { by, reason } = answer;
  if (by === "stop") return STOPPED;
  if (by === "deadline") return { action: "deny", reason: "not run: the question about it was not answered in time" };
  if (by === "failure") return { action: "deny", reason: deniedText(reason ?? "no user could be asked") };
  if (answer.answer === "no") return { action: "deny", reason: refusedText(reason) };
  const approved = approvedNow();
  // The rules, or the code of the tool, may have changed while the user was asked.
  if (decision.action === "deny") return { action: "deny", reason: deniedText(decision.reason) };
  if (approved.codeHash !== subject.codeHash || (approved.unheld ?? subject.unheld) !== subject.unheld) return CHANGED;
  const { request } = subject;
  if (answer.answer === "edits" && request.offersEdits) permissions.allowEdits(approved.sessionKey);
  const given = givenBy(answer.answer, request, approved);
  if (given) await permissions.approvals.add({ ...given, id: crypto.randomUUID(), at: permissions.options.now() });
  return ALLOWED;
}

/** What an answer approves beyond its call; undefined if nothing. */
function givenBy(
  answer: Answer["answer"],
  { pattern, prefix: prefixPattern }: ApprovalRequest,
  { prefix, ...approved }: ApprovedCall,
): Omit<GivenApproval, "id" | "at"> | undefined {
  if (answer === "session" || answer === "always") return { ...approved, pattern, scope: answer };
  if (answer !== "prefix" || prefix === undefined || prefixPattern === undefined) return undefined;
  return { ...approved, access: { kind: "commands", prefix }, pattern: prefixPattern, scope: "session" };
}

const CHANGED: PermissionDecision = {
  action: "deny",
  reason: "not run: the tool has changed since the user was asked; call again to ask anew",
};

/** The refusal of a call whose prompt was stopped while the question was open. */
const STOPPED: PermissionDecision = {
  action: "deny",
  reason: "not run: the prompt was stopped before the user answered, and it was not started",
};

async function requestOf(
  permissions: Permissions,
  inspected: InspectedCall,
  approved: ApprovedCall,
): Promise<ApprovalRequest> {
  const { session, call, label, decision } = inspected;
  const { args, access, server } = inspected.policyCall;
  const tool = inspected.policyCall.tool.name;
  const { prefix } = approved;
  const what = server === undefined ? "code" : "definition";
  const change = permissions.approvals.isOutdatedFor(approved) ? `; its ${what} has changed since it was approved` : "";
  return {
    session,
    toolCallId: call.id,
    toolName: tool,
    toolOrigin: inspected.policyCall.tool.origin,
    args,
    ...(label && { label }),
    access,
    reason: `${decision.reason}${change}`,
    pattern: callPattern(tool, access, permissions.places()),
    ...(prefix !== undefined && { prefix: `${escaped(tool)}(${prefix} *)` }),
    ...((await isAskedForMode(permissions, inspected)) && { offersEdits: true }),
  };
}

/** Whether the mode `edits` would allow a write that the mode `ask` asks about. */
async function isAskedForMode(permissions: Permissions, { policyCall }: InspectedCall): Promise<boolean> {
  if (policyCall.access.kind !== "write" || policyCall.mode !== "ask") return false;
  return (await policyDecision(permissions, { ...policyCall, mode: "edits" })).action === "allow";
}

async function orDenial<Decision>(decide: () => Promise<Decision>): Promise<Decision | PermissionDecision> {
  try {
    return await decide();
  } catch (error) {
    return { action: "deny", reason: deniedText(errorMessage(error)) };
  }
}

/** Characters; a longer pattern is replaced by the name of its tool. */
const SHORT = 200;

/** The result that the model receives for a call that needs an approval, if no user can be asked. */
function headlessText({ reason, toolName, pattern }: ApprovalRequest): string {
  // Other patterns cannot be shown unchanged in a terminal or log line.
  const isShown = pattern.length <= SHORT && isVisible(pattern);
  const flag = `--allow ${shellWord(isShown ? pattern : escaped(toolName))}`;
  return `not run: ${reason}, and no user can be asked; allow it with ${flag}`;
}

/** The result that the model receives for a call that the user refused. */
const refusedText = (words = ""): string => `not run: the user refused it${words.trim() && `: ${words.trim()}`}`;

import { isWithin, type JsonObject } from "@mdx-ai/base";
import { headOf, type NamedTool, type ToolAccess } from "@mdx-ai/loop";
import type { PermissionAction, PermissionMode } from "@mdx-ai/parser";
import { ask, defaultDecision, protectedMeaning, workspaceRoots } from "./default-decision.ts";
import {
  ALLOWED,
  type PolicyDecision,
  ruledDecision,
  strictest,
  userDenialOf,
  userGrants,
} from "./layered-decision.ts";
import type { PathContext, Permissions } from "./permissions.ts";
import { type CallSubject, pathSubject, type ReadyRule, type RuleLayers, subjectsOf } from "./rules.ts";
import { secrecyOf } from "./secret-paths.ts";

/** A call as the policy sees it. */
export interface PolicyCall {
  readonly tool: NamedTool;
  readonly args: JsonObject;
  readonly access: ToolAccess;
  /** The author's permission for the tool. */
  readonly author: PermissionAction;
  /** Whether the author declares that the tool changes nothing. */
  readonly isReadOnly: boolean;
  /** The MCP server that runs the tool; such calls need a question. */
  readonly server?: string | undefined;
  /** The mode of its session; the agent's mode if absent. */
  readonly mode?: PermissionMode;
  /** The key of its session, if it belongs to one. */
  readonly sessionKey?: string;
}

/**
 * Decides about a call by mode and rules, ignoring approvals: for an agent that works for another one, as strictly as either's.
 * Rejects as `isShellSandboxed` and `unenforcedLimits` do.
 */
export async function policyDecision(permissions: Permissions, call: PolicyCall): Promise<PolicyDecision> {
  const { parent, mode: ofDirectory } = permissions.options;
  if (parent === undefined) return ownDecision(permissions, call);
  // What the mode asks about, the parent's decision asks about, unless the directory itself has that mode.
  const isOfParent = call.mode === "ask" && ofDirectory !== "ask";
  const own = await ownDecision(permissions, isOfParent ? { ...call, mode: "edits" } : call);
  if (own.action === "deny") return own;
  const sessionKey = parent.keyOf(call.sessionKey ?? "");
  const mode = parent.permissions.modeOf(sessionKey);
  return strictest([own, await policyDecision(parent.permissions, { ...call, mode, sessionKey })]);
}

async function ownDecision(permissions: Permissions, call: PolicyCall): Promise<PolicyDecision> {
  const { tool, args, access, author, server, mode = permissions.mode } = call;
  if (mode === "plan" && !isReading(call)) return PLAN_DENIAL;
  const places = permissions.places();
  const rules = permissions.rulesFor(tool.name, access.kind);
  const byDefault = await defaultDecision({ tool, access, server, mode }, permissions);
  const fallback = { author, byDefault };
  const found = strictest(
    subjectsOf(access, args).map((subject) => {
      const decision = ruledDecision(rules, subject, fallback);
      return decision === byDefault
        ? { ...decision, reason: decision.reason + uncovered(rules.all, subject) }
        : decision;
    }),
  );
  if (found.action === "deny") return found;
  const guarded = secretDecision(places, rules.all, access) ?? protectedDecision(places, rules.all, access);
  const held = guarded ?? (await limitsDecision(permissions, rules.all, call));
  if (held !== undefined) return { ...held, ...(found.isAboutCommand && { isAboutCommand: true }) };
  const isKnown = access.kind !== "call" && access.kind !== "host";
  return mode === "all" && isKnown && byDefault.action === "allow" ? ALLOWED : found;
}

/** The part of a command that no pattern of the user's rules covers, as an end of the reason for a question; "" without patterns. */
function uncovered({ allow, settings }: RuleLayers, subject: CallSubject): string {
  const isPattern = ({ rule }: ReadyRule): boolean => rule.action === "allow" && rule.subject !== undefined;
  if (subject.kind !== "command" || ![...allow, ...settings].some(isPattern)) return "";
  const { obstacle, command } = subject;
  const part = obstacle ?? headOf(command.plain, MAX_PART);
  return `; no pattern covers ${JSON.stringify(part)}`;
}

/** Characters. */
const MAX_PART = 80;

/** Whether a call changes nothing: its tool declares it, and its access is no more than reading. */
const isReading = ({ access, isReadOnly }: PolicyCall): boolean =>
  isReadOnly && access.kind !== "write" && access.kind !== "command";

const PLAN_DENIAL: PolicyDecision = {
  action: "deny",
  reason: "plan mode lets tools only read; say what you would do, and the user can leave plan mode",
};

/** Decides about a call by the user's denials alone. */
export function userDenial(
  permissions: Permissions,
  { tool, args, access }: Pick<PolicyCall, "args" | "access"> & { readonly tool: string },
): PolicyDecision {
  const { ofTool, ofAccess } = permissions.rulesFor(tool, access.kind);
  const layers = [ofTool, ofAccess];
  const found = subjectsOf(access, args).flatMap((subject) => layers.map((each) => userDenialOf(each, subject)));
  return strictest(found.map((decision) => decision ?? ALLOWED));
}

/** The result that the model receives for a call that a rule denies, or for which the decision failed. */
export const deniedText = (reason: string): string => `not run: ${reason}`;

/** Asks about a secret, unless a rule of the user allows it and names a secret path. */
export function secretDecision(
  places: PathContext,
  layers: RuleLayers,
  access: ToolAccess,
): PolicyDecision | undefined {
  if (layers.allowsAll || (access.kind !== "read" && access.kind !== "write")) return undefined;
  const secrecy = secrecyOf(access.path, places);
  const isSecret = (path: string): boolean => secrecyOf(path, places) !== undefined;
  return secrecy === undefined || isNamedByUser(layers, access.path, isSecret)
    ? undefined
    : ask(`${access.kind}s ${secrecy}`);
}

/**
 * Asks about paths of a workspace that run code automatically or define an agent. Only a rule of the user whose pattern starts at
 * such a path lifts the question; rules of a directory never do. Undefined without a workspace.
 */
function protectedDecision(places: PathContext, layers: RuleLayers, access: ToolAccess): PolicyDecision | undefined {
  const roots = workspaceRoots(places);
  if (access.kind !== "write" || layers.allowsAll) return undefined;
  const isInside = roots.some((root) => isWithin(root, access.path));
  const meaning = isInside ? protectedMeaning(access.path, places) : undefined;
  const isProtected = (base: string): boolean =>
    !roots.includes(base) && base !== places.agentDir && protectedMeaning(base, places) !== undefined;
  return meaning === undefined || isNamedByUser(layers, access.path, isProtected) ? undefined : ask(meaning);
}

/** Whether a rule of the user allows a path and its pattern starts at a path that this test accepts. */
const isNamedByUser = (layers: RuleLayers, path: string, isMeant: (base: string) => boolean): boolean =>
  userGrants(layers, pathSubject(path)).some((rule) => rule.bases()?.some(isMeant));

/**
 * Asks about a tool whose limits no sandbox enforces, unless the user's rules allow the call. Rules of a directory cannot lift
 * the question.
 */
async function limitsDecision(
  { options }: Permissions,
  layers: RuleLayers,
  { tool, args }: PolicyCall,
): Promise<PolicyDecision | undefined> {
  if (layers.allowsAll || userGrants(layers, { kind: "arguments", args }).length > 0) return undefined;
  const limits = await options.unenforcedLimits?.(tool);
  return limits === undefined ? undefined : ask(`nothing enforces its ${limits} without a sandbox`);
}

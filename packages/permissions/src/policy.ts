import { isWithin, type JsonObject } from "@mdx-ai/base";
import type { NamedTool, ToolAccess } from "@mdx-ai/loop";
import type { PermissionAction, PermissionMode } from "@mdx-ai/parser";
import { ask, defaultDecision, protectedMeaning } from "./default-decision.ts";
import {
  ALLOWED,
  type PolicyDecision,
  ruledDecision,
  strictest,
  userDenialOf,
  userGrants,
} from "./layered-decision.ts";
import type { PathContext, Permissions } from "./permissions.ts";
import { pathSubject, type RuleLayers, subjectsOf } from "./rules.ts";
import { secrecyOf } from "./secret-paths.ts";

/** A call as the policy sees it. */
export interface PolicyCall {
  readonly tool: NamedTool;
  readonly args: JsonObject;
  readonly access: ToolAccess;
  /** The author's permission for the tool. */
  readonly author: PermissionAction;
  /** Whether the tool changes nothing, as its author says. */
  readonly isReadOnly: boolean;
  /** The MCP server that runs the tool, if one does: its calls are asked about. */
  readonly server?: string | undefined;
  /** The mode of its session; that of the agent if absent. */
  readonly mode?: PermissionMode;
}

/** Decides about a call by the mode and the rules, without approvals. Rejects as `isShellSandboxed` and `unenforcedLimits` do. */
export async function policyDecision(permissions: Permissions, call: PolicyCall): Promise<PolicyDecision> {
  const { tool, args, access, author, server, mode = permissions.mode } = call;
  if (mode === "plan" && !isReading(call)) return PLAN_DENIAL;
  const places = permissions.places();
  const rules = permissions.rulesFor(tool.name, access.kind);
  const byDefault = await defaultDecision({ tool, access, server, mode }, permissions);
  const fallback = { author, byDefault };
  const found = strictest(subjectsOf(access, args).map((subject) => ruledDecision(rules, subject, fallback)));
  if (found.action === "deny") return found;
  const guarded = secretDecision(places, rules.all, access) ?? protectedDecision(places, rules.all, access);
  const held = guarded ?? (await limitsDecision(permissions, rules.all, call));
  if (held !== undefined) return { ...held, ...(found.isAboutCommand && { isAboutCommand: true }) };
  const isKnown = access.kind !== "call" && access.kind !== "host";
  return mode === "all" && isKnown && byDefault.action === "allow" ? ALLOWED : found;
}

/** Whether a call changes nothing: its tool says so, and its access is no more. */
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

/** The model's result for a call that a rule denies, or that could not be decided. */
export const deniedText = (reason: string): string => `not run: ${reason}`;

/** Asks about a secret, unless the user named a secret path in a rule that allows this one. */
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
 * Asks about what runs code on its own in a workspace and what defines an agent there, unless the user named it in a rule: a
 * directory does not lift that, and no pattern of the user's does that begins further out. Undefined without a workspace.
 */
function protectedDecision(places: PathContext, layers: RuleLayers, access: ToolAccess): PolicyDecision | undefined {
  const { workspace, agentDir } = places;
  if (workspace === undefined || access.kind !== "write" || layers.allowsAll) return undefined;
  const meaning = isWithin(workspace, access.path) ? protectedMeaning(access.path, places) : undefined;
  const isProtected = (base: string): boolean =>
    base !== workspace && base !== agentDir && protectedMeaning(base, places) !== undefined;
  return meaning === undefined || isNamedByUser(layers, access.path, isProtected) ? undefined : ask(meaning);
}

/** Whether the user allows a path with a rule whose pattern begins at such a path. */
const isNamedByUser = (layers: RuleLayers, path: string, isMeant: (base: string) => boolean): boolean =>
  userGrants(layers, pathSubject(path)).some((rule) => rule.bases()?.some(isMeant));

/** Asks about a tool whose limits nothing enforces, unless the user allows its call: a directory cannot lift them. */
async function limitsDecision(
  { options }: Permissions,
  layers: RuleLayers,
  { tool, args }: PolicyCall,
): Promise<PolicyDecision | undefined> {
  if (layers.allowsAll || userGrants(layers, { kind: "arguments", args }).length > 0) return undefined;
  const limits = await options.unenforcedLimits?.(tool);
  return limits === undefined ? undefined : ask(`nothing enforces its ${limits} without a sandbox`);
}

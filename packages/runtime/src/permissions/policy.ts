import type { JsonObject } from "@mdx-ai/models";
import { type PermissionAction, type PermissionMode, patternText } from "@mdx-ai/parser";
import { isWithin } from "@mdx-ai/parser/is-within";
import { pathWithin, realPlaceOrSame } from "../files/real-place.ts";
import { DATA_FOLDERS } from "../layout.ts";
import type { ToolAccess } from "../types/permission.ts";
import { meaningOf } from "./defining-files.ts";
import type { CallPlaces, Permissions } from "./permissions.ts";
import { type CallRules, type CallSubject, type ReadyRule, type RuleLayers, subjectsOf } from "./rules.ts";
import { secrecyOf } from "./secret-places.ts";
import { meaningInWorkspace } from "./workspace-files.ts";

/** The policy decision about a call, and why. */
export interface PolicyDecision {
  readonly action: PermissionAction;
  /** A line without a full stop. */
  readonly reason: string;
  /** Whether a rule asks about certain commands, such as `bash(git push *)`: an approval of a prefix does not lift that. */
  readonly isAboutCommand?: boolean;
}

/** A call as the policy sees it. */
export interface PolicyCall {
  /** The author's name. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly access: ToolAccess;
  /** The author's permission for the tool. */
  readonly author: PermissionAction;
  /** Whether the tool changes nothing, as its author says. */
  readonly isReadOnly: boolean;
  /** The mode of its session; that of the agent if absent. */
  readonly mode?: PermissionMode;
}

const ALLOWED: PolicyDecision = { action: "allow", reason: "" };
const ask = (reason: string): PolicyDecision => ({ action: "ask", reason });

/** Decides about a call by the mode and the rules, without approvals. Rejects as `holdsShell` and `unheldLimits` do. */
export async function policyDecision(permissions: Permissions, call: PolicyCall): Promise<PolicyDecision> {
  const { tool, args, access, author, mode = permissions.mode } = call;
  if (mode === "plan" && !isReading(call)) return PLAN_DENIAL;
  const places = permissions.places();
  const rules = permissions.rulesFor(tool, access.kind);
  const byDefault = await defaultDecision({ tool, access, mode }, permissions);
  const fallback = { author, byDefault };
  const found = strictest(subjectsOf(access, args).map((subject) => ruledDecision(rules, subject, fallback)));
  if (found.action === "deny") return found;
  const guarded = secretDecision(places, rules.all, access) ?? protectedDecision(places, rules.all, access);
  const held = guarded ?? (await limitsDecision(permissions, rules.all, call));
  if (held !== undefined) return { ...held, ...(found.isAboutCommand && { isAboutCommand: true }) };
  return mode === "all" && access.kind !== "call" && byDefault.action === "allow" ? ALLOWED : found;
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
  { tool, args, access }: Omit<PolicyCall, "author" | "isReadOnly">,
): PolicyDecision {
  const { ofTool, ofAccess } = permissions.rulesFor(tool, access.kind);
  const found = subjectsOf(access, args).flatMap((subject) => [denial(ofTool, subject), denial(ofAccess, subject)]);
  return strictest(found.map((decision) => decision ?? ALLOWED));
}

/** Whether the user denies every tool to write a path, or something in it. */
export function isWritingDenied(permissions: Permissions, path: string): boolean {
  const { ofAccess } = permissions.rulesFor("write_file", "write");
  if (denial(ofAccess, { kind: "path", path, args: {} })) return true;
  const isInside = (base: string): boolean => isWithin(path, base) || isWithin(path, realPlaceOrSame(base));
  return denials(ofAccess).some((rule) => rule.bases()?.some(isInside) ?? false);
}

/** Whether the user or the directory denies every tool to read a path. */
export function isReadingDenied(permissions: Permissions, path: string): boolean {
  const { ofAccess } = permissions.rulesFor("read_file", "read");
  const fallback = { author: "allow", byDefault: ALLOWED } as const;
  return layeredDecision(ofAccess, { kind: "path", path, args: {} }, fallback).action === "deny";
}

/** Why nobody may be shown a file without a question, for people; undefined if the file may be shown. `path` is absolute and real. */
export function whyHidden(permissions: Permissions, path: string): string | undefined {
  const secrecy = secrecyOf(path, permissions.places());
  if (secrecy !== undefined) return `it is in ${secrecy}`;
  return isReadingDenied(permissions, path) ? "reading it is denied" : undefined;
}

/**
 * Says which real paths below a root, which was permitted, a tool that searches may show: none that `read_file` would be denied,
 * and none that it would ask about for another reason than the root, such as a secret.
 */
export function shownPaths(permissions: Permissions, tool: string, root: string): (path: string) => boolean {
  const places = permissions.places();
  const rules = permissions.rulesFor(tool, "read");
  // Rules without a path are about the tool: they have decided about the call.
  const layers = [rules.all, rules.ofTool, rules.ofAccess].map((each) => rulesForPaths(each, namesPath));
  const isRuled = layers.some((each) => [...each.directory, ...each.settings, ...each.allow, ...each.deny].length > 0);
  const fallback = { author: "allow", byDefault: ALLOWED } as const;
  const strengthOf = (path: string): number => {
    if (!isRuled) return STRENGTH.allow;
    const subject = { kind: "path", path, args: {} } as const;
    return Math.max(...layers.map((each) => STRENGTH[layeredDecision(each, subject, fallback).action]));
  };
  const ofRoot = strengthOf(root);
  const secrecyOfRoot = secrecyOf(root, places);
  const isSecret = (path: string): boolean => {
    const found = secrecyOf(path, places);
    if (found === undefined || found === secrecyOfRoot) return false;
    return secretDecision(places, rules.all, { kind: "read", path }) !== undefined;
  };
  return (path) => {
    const strength = strengthOf(path);
    return strength < STRENGTH.deny && strength <= ofRoot && !isSecret(path);
  };
}

const namesPath = ({ rule }: ReadyRule): boolean => rule.subject !== undefined;

/** The rules that are meant, ready for many paths. */
export function rulesForPaths({ allowsAll, ...layers }: RuleLayers, isMeant: (rule: ReadyRule) => boolean): RuleLayers {
  const ready = (rules: readonly ReadyRule[]): readonly ReadyRule[] => rules.filter(isMeant).map(forManyPaths);
  return {
    directory: ready(layers.directory),
    settings: ready(layers.settings),
    allow: ready(layers.allow),
    deny: ready(layers.deny),
    allowsAll,
  };
}

function forManyPaths(rule: ReadyRule): ReadyRule {
  const matchesPath = rule.matchingPaths();
  return { ...rule, matches: (subject) => subject.kind === "path" && matchesPath(subject.path) };
}

/** Whether the user denies every tool to read or to write some files. */
export const areFilesDenied = (permissions: Permissions): boolean =>
  [permissions.rulesFor("read_file", "read"), permissions.rulesFor("write_file", "write")].some(
    ({ ofAccess }) => denials(ofAccess).length > 0,
  );

const denials = ({ settings, deny }: RuleLayers): readonly ReadyRule[] =>
  [...settings, ...deny].filter(({ rule }) => rule.action === "deny");

interface Fallback {
  readonly author: PermissionAction;
  readonly byDefault: PolicyDecision;
}

/**
 * The access decides as for a builtin tool, and rules that name the tool count as well. A rule for the access lifts neither a
 * rule that names the tool nor what its author wants, and the user's denial of an access holds for every tool.
 */
function ruledDecision(rules: CallRules, subject: CallSubject, fallback: Fallback): PolicyDecision {
  const { all, ofTool, ofAccess } = rules;
  const decision = layeredDecision(all, subject, fallback);
  if (all === ofTool) return decision;
  const ofToolAlone = layeredDecision(ofTool, subject, { ...fallback, byDefault: ALLOWED });
  return strictest([denial(ofAccess, subject) ?? ALLOWED, decision, ofToolAlone]);
}

/** Later layers override earlier ones, and the user's denials override all. */
export function layeredDecision(
  layers: RuleLayers,
  subject: CallSubject,
  { author, byDefault }: Fallback,
): PolicyDecision {
  const matches = (rule: ReadyRule): boolean => rule.matches(subject);
  const denied = denial(layers, subject);
  if (denied) return denied;
  if (layers.allowsAll || layers.allow.some(matches)) return ALLOWED;
  const ofUser = layers.settings.findLast(matches);
  if (ofUser) return decisionOf(ofUser, "the user's settings ask about");
  const ofDirectory = layers.directory.findLast(matches);
  if (ofDirectory) {
    const verb = ofDirectory.rule.action === "deny" ? "deny" : "ask about";
    return decisionOf(ofDirectory, `the agent's settings ${verb}`);
  }
  if (author === "allow") return byDefault;
  return { action: author, reason: author === "ask" ? "its author wants it asked about" : "its author denies it" };
}

function denial(layers: RuleLayers, subject: CallSubject): PolicyDecision | undefined {
  const matches = (rule: ReadyRule): boolean => rule.matches(subject);
  const ofUser = layers.settings.findLast(matches);
  if (ofUser?.rule.action === "deny") return decisionOf(ofUser, "the user's settings deny");
  const ofFlags = layers.deny.find(matches);
  return ofFlags && decisionOf(ofFlags, "the user denies");
}

function decisionOf({ rule }: ReadyRule, because: string): PolicyDecision {
  if (rule.action === "allow") return ALLOWED;
  const isAboutCommand = rule.subject !== undefined && !/^\*+$/.test(rule.subject);
  return { action: rule.action, reason: `${because} ${patternText(rule)}`, ...(isAboutCommand && { isAboutCommand }) };
}

const STRENGTH: Readonly<Record<PermissionAction, number>> = { allow: 0, ask: 1, deny: 2 };

const strictness = ({ action, isAboutCommand }: PolicyDecision): number =>
  STRENGTH[action] + (action === "ask" && isAboutCommand === true ? 0.5 : 0);

/** The strictest of several decisions, the first of equals; `ALLOWED` of none. */
const strictest = (decisions: readonly PolicyDecision[]): PolicyDecision =>
  decisions.reduce((one, other) => (strictness(other) > strictness(one) ? other : one), ALLOWED);

async function defaultDecision(
  { tool, access, mode }: Pick<PolicyCall, "tool" | "access"> & { readonly mode: PermissionMode },
  permissions: Permissions,
): Promise<PolicyDecision> {
  const { holdsShell = async () => false, serverOf } = permissions.options;
  switch (access.kind) {
    case "read":
      return defaultForReading(access.path, permissions.places());
    case "write":
      return defaultForWriting(access.path, permissions.places(), mode);
    case "command":
      return (await holdsShell(tool)) ? ALLOWED : ask("runs a shell command outside a sandbox");
    case "host":
      return ALLOWED;
    case "call": {
      const server = serverOf?.(tool);
      return server === undefined ? ALLOWED : ask(`calls a tool of the MCP server ${server}`);
    }
  }
}

function defaultForReading(path: string, { agentDir, cwd, workspace, skillFolders }: CallPlaces): PolicyDecision {
  const folders = [agentDir, cwd, ...skillFolders, ...(workspace === undefined ? [] : [workspace])];
  if (folders.some((folder) => isWithin(folder, path))) return ALLOWED;
  return ask(
    `reads outside the agent directory and the ${workspace === undefined ? "working directory" : "workspace"}`,
  );
}

function defaultForWriting(path: string, places: CallPlaces, mode: PermissionMode): PolicyDecision {
  const meaning = protectedMeaning(path, places);
  if (meaning !== undefined) return ask(meaning);
  const { agentDir, workspace, home } = places;
  const isOfAgent = isWithin(agentDir, path);
  if (workspace === undefined || !isWithin(workspace, path)) {
    return isOfAgent
      ? ALLOWED
      : ask(`writes outside the agent directory${workspace === undefined ? "" : " and the workspace"}`);
  }
  // Of two folders of which one is in the other, the inner one decides.
  if (isOfAgent && isWithin(workspace, agentDir)) return ALLOWED;
  if (home !== undefined && isWithin(workspace, home)) return ask("writes in a workspace that holds your home folder");
  return mode === "ask" ? ask("writes in the workspace") : ALLOWED;
}

/** Why a write must be approved whatever the mode is: what the file does, for people; undefined if it need not be. */
function protectedMeaning(
  path: string,
  { agentDir, workspace, dataDir, definingFiles }: CallPlaces,
): string | undefined {
  const what = (folder: string, meaningIn: (relative: string) => string | undefined): string | undefined => {
    const relative = pathWithin(folder, path);
    const meaning = relative === undefined ? undefined : meaningIn(relative);
    return meaning && `writes onto ${JSON.stringify(relative)}, which ${meaning}`;
  };
  return (
    what(agentDir, (relative) => meaningOf(relative, definingFiles)) ??
    (dataDir === agentDir ? undefined : what(dataDir, meaningOfRecord)) ??
    (workspace && what(workspace, meaningInWorkspace))
  );
}

const meaningOfRecord = (relative: string): string | undefined =>
  DATA_FOLDERS.some((folder) => isWithin(folder, relative)) ? "records what the agent did" : undefined;

/**
 * Asks about what runs code on its own in a workspace and what defines an agent there, unless the user named it in a rule: a
 * directory does not lift that, and no pattern of the user's does that begins further out. Undefined without a workspace.
 */
function protectedDecision(places: CallPlaces, layers: RuleLayers, access: ToolAccess): PolicyDecision | undefined {
  const { workspace } = places;
  if (workspace === undefined || access.kind !== "write" || layers.allowsAll) return undefined;
  const meaning = isWithin(workspace, access.path) ? protectedMeaning(access.path, places) : undefined;
  if (meaning === undefined) return undefined;
  const isNamed = (base: string): boolean =>
    base !== workspace && base !== places.agentDir && protectedMeaning(base, places) !== undefined;
  const isLifted = userGrants(layers, { kind: "path", path: access.path, args: {} }).some((rule) =>
    rule.bases()?.some(isNamed),
  );
  return isLifted ? undefined : ask(meaning);
}

/** Asks about a secret, unless the user named a secret path in a rule that allows this one. */
function secretDecision(places: CallPlaces, layers: RuleLayers, access: ToolAccess): PolicyDecision | undefined {
  if (layers.allowsAll || (access.kind !== "read" && access.kind !== "write")) return undefined;
  const found = secrecyOf(access.path, places);
  const isSecret = (path: string): boolean => secrecyOf(path, places) !== undefined;
  if (
    found === undefined ||
    userGrants(layers, { kind: "path", path: access.path, args: {} }).some((rule) => rule.bases()?.some(isSecret))
  )
    return undefined;
  return ask(`${access.kind}s ${found}`);
}

/** Asks about a tool whose limits nothing enforces, unless the user allows its call: a directory cannot lift them. */
async function limitsDecision(
  { options }: Permissions,
  layers: RuleLayers,
  { tool, args }: PolicyCall,
): Promise<PolicyDecision | undefined> {
  if (layers.allowsAll || userGrants(layers, { kind: "arguments", args }).length > 0) return undefined;
  const limits = await options.unheldLimits?.(tool);
  return limits === undefined ? undefined : ask(`nothing enforces its ${limits} without a sandbox`);
}

function userGrants(layers: RuleLayers, subject: CallSubject): readonly ReadyRule[] {
  const matches = (rule: ReadyRule): boolean => rule.matches(subject);
  const ofSettings = layers.settings.findLast(matches);
  const ofFlags = layers.allow.filter(matches);
  return ofSettings?.rule.action === "allow" ? [...ofFlags, ofSettings] : ofFlags;
}

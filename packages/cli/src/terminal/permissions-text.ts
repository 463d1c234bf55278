import { shownRules } from "@mdx-ai/directory";
import { MODE_MEANINGS, MODE_ORDER } from "@mdx-ai/directory/views/permission-modes";
import type { UserPermissions } from "@mdx-ai/loop";
import {
  type AgentSettings,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionSettings,
  type SandboxSettings,
} from "@mdx-ai/parser";
import type { Agent } from "@mdx-ai/runtime";
import { visibleLine } from "../approval/approval-content.ts";

export const modeLine = (mode: PermissionMode): string => `Mode ${mode}: ${MODE_MEANINGS[mode]}`;

/** Switches the session to the next mode and returns it. */
export function nextMode(agent: Agent, session: string): PermissionMode {
  const next = MODE_ORDER[(MODE_ORDER.indexOf(agent.session(session).mode) + 1) % MODE_ORDER.length] ?? "ask";
  agent.setMode(next);
  return next;
}

/** Runs `/mode` with these words and returns the answer. */
export function runModeCommand(words: string, agent: Agent, session: string): string {
  if (words === "")
    return `${modeLine(agent.session(session).mode)}\n/mode ${MODE_ORDER.join(" | ")} changes it; so does Shift+Tab.`;
  const mode = PERMISSION_MODES.find((known) => known === words);
  if (mode === undefined) return `There is no mode ${JSON.stringify(words)}; write /mode ${MODE_ORDER.join(" | ")}`;
  agent.setMode(mode);
  return modeLine(mode);
}

/** A permission granted for more than one call. */
export interface Grant {
  readonly pattern: string;
  readonly answer: "session" | "always";
}

/** The lines about permissions and the sandbox before a run. */
export interface PermissionRules {
  readonly directory: Pick<AgentSettings, "permissions" | "sandbox">;
  readonly user: UserPermissions | undefined;
  readonly sandbox: SandboxSettings | undefined;
}

/** The output of `/permissions`: one rule per line, in the order in which they apply. */
export function permissionsText(
  { directory, user, sandbox }: PermissionRules,
  grants: readonly Grant[],
  mode: PermissionMode,
): string {
  const flags = [
    ...(user?.allow ?? []).map((pattern) => `--allow ${pattern}`),
    ...(user?.allowsAll ? ["--allow-all"] : []),
    ...(user?.deny ?? []).map((pattern) => `--deny ${pattern}`),
  ];
  const parts: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ["This directory", rulesOf(directory.permissions)],
    ["Your settings", rulesOf(user?.settings)],
    ["Your flags", flags],
    [
      "Your answers",
      grants.map(({ pattern, answer }) => `${pattern}: ${answer === "always" ? answer : "this session"}`),
    ],
    ["Sandbox", sandboxLines(directory.sandbox, sandbox)],
  ];
  const shown = parts.filter(([, lines]) => lines.length > 0);
  const end =
    "A later rule overrides an earlier one, and your denials override all; a call that no rule covers needs approval if it may do harm.";
  const sections = shown.flatMap(([title, lines]) => [title, ...lines.map((line) => `  ${visibleLine(line)}`)]);
  return [modeLine(mode), ...sections, end].join("\n");
}

const rulesOf = (settings: PermissionSettings = {}): readonly string[] =>
  shownRules(settings).map(({ pattern, action }) => `${pattern}: ${action}`);

/** The user's settings override the directory's. */
function sandboxLines(directory: AgentSettings["sandbox"], user: SandboxSettings | undefined): readonly string[] {
  const author = typeof directory === "string" ? { mode: directory } : directory;
  const { mode, network } = { ...author, ...user };
  const hosts = network === undefined || network === "all" ? network : network.join(", ");
  const paths = (["read", "write"] as const).flatMap((access) =>
    (user?.[access] ?? []).map((path) => `${access}: ${path}`),
  );
  return [...(mode === undefined ? [] : [mode]), ...(hosts === undefined ? [] : [`network: ${hosts}`]), ...paths];
}

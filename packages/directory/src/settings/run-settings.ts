import { join } from "node:path";
import {
  agentIdentity,
  configurationDirectory,
  didYouMean,
  isWithin,
  lineText,
  sha256,
  stateDirectory,
} from "@mdx-ai/base";
import { makeSecret, randomSecret, readSecret, realPathOrSame, SharedFileError } from "@mdx-ai/base/disk";
import type { UserPermissions } from "@mdx-ai/loop";
import {
  type AgentDefinition,
  type AgentDirectory,
  type AgentSettings,
  allBuiltinToolNames,
  type MemorySettings,
  offeredBuiltins,
  type PermissionMode,
  permissionPattern,
  type SandboxMode,
  type SandboxSettings,
  type TerminalSettings,
} from "@mdx-ai/parser";
import { isMcpToolName } from "@mdx-ai/parser/mcp-tool-name";
import type { AgentOptions, CredentialGrant, DeclaredServer } from "@mdx-ai/runtime";
import type { FrontEnd } from "../front-end.ts";
import { readMcpConfig, readMcpFile } from "./mcp-config.ts";
import { userSettings } from "./user-settings.ts";

/** The permissions and the sandbox of a run, and the user's terminal settings. */
export interface RunSettings
  extends Pick<
    AgentOptions,
    | "permissions"
    | "approvalsDirectory"
    | "questionsDirectory"
    | "journalKey"
    | "sandbox"
    | "credentials"
    | "servers"
    | "tokensDirectory"
    | "webSearch"
  > {
  readonly terminal: TerminalSettings;
  /** Whether agents remember. Default: as each agent's settings say. */
  readonly memory?: "on" | "off";
}

/** A run and whether it stores approvals. */
interface PermittedRun extends PermissionFlags {
  /** A file with MCP servers, such as `.mcp.json`. Absolute. */
  readonly mcpConfig?: string | undefined;
  /** The same of a repository, which the user agreed to. Absolute. */
  readonly repositoryServers?: string | undefined;
  readonly isEphemeral: boolean;
  /** The folder where tools work. Absolute. Default: the agent directory. */
  readonly workspace?: string | undefined;
  /** The folder of the agent's data. Absolute. Default: the agent directory. */
  readonly data?: string | undefined;
}

/** The user's permissions, from flags and settings; warns about flags without effect. Rejects with `DirectoryError` ("settings"). */
export async function runSettings(
  run: PermittedRun,
  { path, realPath, definition }: AgentDirectory,
  frontEnd: FrontEnd,
): Promise<RunSettings> {
  for (const text of await vainPatterns(run, definition)) frontEnd.onNotice({ type: "warning", text });
  const settings = await userSettings(path, frontEnd, run.data);
  const sandbox = sandboxOf(run.sandboxMode, settings.sandbox);
  const servers = await userServers(run, settings, frontEnd);
  return {
    permissions: permissionsOf(run, settings),
    ...(servers.length > 0 && { servers }),
    terminal: terminalOf(settings),
    ...(settings.memory !== undefined && { memory: settings.memory }),
    ...(sandbox !== undefined && { sandbox }),
    ...(settings.web_search !== undefined && { webSearch: settings.web_search }),
    ...(settings.credentials !== undefined && {
      credentials: await credentialsOf(settings.credentials, {
        environment: frontEnd.environment,
        outside: [path, ...[run.workspace, run.data].flatMap((folder) => folder ?? []), ...(sandbox?.write ?? [])],
      }),
    }),
    ...stateOf(run, realPath, frontEnd),
  };
}

type RunState = Pick<RunSettings, "approvalsDirectory" | "questionsDirectory" | "journalKey" | "tokensDirectory">;

/** The folders for an agent in the user's state; none if the agent could write there. An ephemeral run uses only tokens. */
function stateOf({ isEphemeral }: PermittedRun, realPath: string, frontEnd: FrontEnd): RunState {
  const state = decisionsFolder(realPath, frontEnd);
  if (state === undefined) return {};
  const tokensDirectory = join(state, "mcp-tokens", sha256(agentIdentity(realPath)).slice(0, 32));
  if (isEphemeral) return { tokensDirectory };
  return {
    tokensDirectory,
    approvalsDirectory: approvalsIn(state, frontEnd),
    questionsDirectory: join(state, QUESTIONS),
    journalKey: journalKey(join(state, SESSION_KEY), frontEnd),
  };
}

const APPROVALS = "approvals";
const QUESTIONS = "questions";
const SESSION_KEY = "session-key";

function permissionsOf(
  { allow, deny, allowsAll, mode }: PermissionFlags,
  { permissions, mode: usualMode }: Pick<AgentSettings, "permissions" | "mode">,
): UserPermissions {
  return {
    ...{ allow, deny, allowsAll },
    ...(permissions !== undefined && { settings: permissions }),
    ...(mode !== undefined && { mode }),
    ...(usualMode !== undefined && { usualMode }),
  };
}

/** The additional MCP servers: the run's, then the user's, then the repository's, of which an invalid one costs a warning. */
async function userServers(
  { mcpConfig, repositoryServers }: PermittedRun,
  { mcp = {} }: Pick<AgentSettings, "mcp">,
  frontEnd: FrontEnd,
): Promise<readonly DeclaredServer[]> {
  const baseDir = configurationDirectory(frontEnd.environment) ?? "/";
  const declaredBy = join(baseDir, "settings.yaml");
  const ofSettings = Object.entries(mcp).map(([name, definition]) => ({ name, definition, baseDir, declaredBy }));
  const ofRun = mcpConfig === undefined ? [] : await readMcpConfig(mcpConfig);
  if (repositoryServers === undefined) return [...ofRun, ...ofSettings];
  const { servers, problems } = await readMcpFile(repositoryServers);
  for (const text of problems) frontEnd.onNotice({ type: "warning", text: lineText(text) });
  return [...ofRun, ...ofSettings, ...servers];
}

function terminalOf({ statusbar, tool_output, notify, theme, plain }: TerminalSettings): TerminalSettings {
  return {
    ...(statusbar !== undefined && { statusbar }),
    ...(tool_output !== undefined && { tool_output }),
    ...(notify !== undefined && { notify }),
    ...(theme !== undefined && { theme }),
    ...(plain !== undefined && { plain }),
  };
}

/** Loaded only if there is a key. */
const credentialsOf = async (
  ...given: Parameters<typeof import("./user-credentials.ts").userCredentials>
): Promise<readonly CredentialGrant[]> => (await import("./user-credentials.ts")).userCredentials(...given);

/** The flag switches the sandbox, the settings configure it. */
function sandboxOf(
  flag: SandboxMode | undefined,
  settings: SandboxMode | SandboxSettings | undefined,
): SandboxSettings | undefined {
  const given = typeof settings === "string" ? { mode: settings } : settings;
  return flag === undefined ? given : { ...given, mode: flag };
}

/** The secret for signatures of sessions, as `AgentOptions.journalKey`; undefined if the agent could write it. */
export function journalKeyFor(agentDir: string, frontEnd: FrontEnd): string | undefined {
  const state = decisionsFolder(realPathOrSame(agentDir), frontEnd);
  return state && journalKey(join(state, SESSION_KEY), frontEnd);
}

/**
 * The user's secret that signs the sessions of all agents, from a file that is created on first use, readable by its owner
 * only. If others may have written it, warns. In that case, or if it cannot be created, uses a temporary key:
 * earlier sessions are untrusted then. Never throws.
 */
function journalKey(file: string, { onNotice }: Pick<FrontEnd, "onNotice">): string {
  try {
    return readSecret(file) ?? makeSecret(file);
  } catch (error) {
    if (error instanceof SharedFileError) {
      onNotice({ type: "warning", text: `your earlier sessions are not recognised as yours: ${error.message}` });
    }
    return randomSecret();
  }
}

/** The folder of the user's answers; undefined if the agent could write it. `agentDir` is absolute. */
export function approvalsFolder(agentDir: string, frontEnd: FrontEnd): string | undefined {
  const state = decisionsFolder(realPathOrSame(agentDir), frontEnd);
  return state && approvalsIn(state, frontEnd);
}

/** What one user of a server allows does not count for the others. */
const approvalsIn = (state: string, { user }: Pick<FrontEnd, "user">): string =>
  user === undefined ? join(state, APPROVALS) : join(state, APPROVALS, "users", user);

/** The folder of open questions and their answers; undefined if the agent could write it. `agentDir` is absolute. */
export function questionsFolder(agentDir: string, frontEnd: FrontEnd): string | undefined {
  const state = decisionsFolder(realPathOrSame(agentDir), frontEnd);
  return state && join(state, QUESTIONS);
}

/** The folder of the user's decisions; undefined if the agent, given by its real path, could write it. */
function decisionsFolder(realPath: string, { environment }: FrontEnd): string | undefined {
  const state = stateDirectory(environment);
  if (state === undefined || isWithin(realPath, realPathOrSame(state))) return undefined;
  return state;
}

/** The user's permissions and containment for one run. */
export interface PermissionFlags {
  /** Patterns such as `bash(git *)`. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Allows calls without asking; denials still apply. */
  readonly allowsAll: boolean;
  readonly sandboxMode?: SandboxMode;
  readonly mode?: PermissionMode;
}

/**
 * A line for each `--allow` and `--deny` that names an unknown tool, so that no one relies on a misspelled
 * denial. Empty if modules may add tools whose names are not known yet.
 */
async function vainPatterns(
  { allow, deny }: Pick<PermissionFlags, "allow" | "deny">,
  { tools, modules, settings }: Pick<AgentDefinition, "tools" | "modules" | "settings">,
): Promise<readonly string[]> {
  if (modules.length > 0 || allow.length + deny.length === 0) return [];
  const own = tools.map(({ name }) => name);
  // A flag may add the tools of a workspace.
  const names = [...allBuiltinToolNames, ...own];
  const usual = [...offeredBuiltins(settings, false), ...own];
  const flags = [
    ...allow.map((pattern) => ({ flag: "--allow", pattern })),
    ...deny.map((pattern) => ({ flag: "--deny", pattern })),
  ];
  const lines: string[] = [];
  for (const { flag, pattern } of flags) {
    const name = permissionPattern(pattern)?.tool ?? "";
    // The tools of a server are not known yet.
    if (/[*?\\]/.test(name) || isMcpToolName(name) || names.includes(name)) continue;
    const hint = didYouMean(name, names, `its tools are ${usual.join(", ")}`);
    lines.push(`${flag} ${pattern} matches no tool of this agent; ${hint}`);
  }
  return lines;
}

/** The memory settings of an agent; undefined if it has no memory. The user's `off` overrides the agent; the user's `on` is only a default. */
export function memorySettings(
  { definition }: Pick<AgentDirectory, "definition">,
  ofUser: "on" | "off" | undefined,
): MemorySettings | undefined {
  const { memory = ofUser === "on" ? {} : "off" } = definition.settings;
  return ofUser === "off" || memory === "off" ? undefined : memory;
}

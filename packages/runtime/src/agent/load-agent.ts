import { dirname } from "node:path";
import { type Environment, isWithin, type Redactor, warnOfEachOnce, warnOnce } from "@mdx-ai/base";
import type { AgentTool, ToolSource } from "@mdx-ai/loop";
import { type AgentDirectory, type AgentSettings, offeredBuiltins } from "@mdx-ai/parser";
import {
  type DirectoryPermissions,
  deniedPaths,
  isReadingDenied,
  Permissions,
  protectedPaths,
  shownPaths,
  textMatcher,
} from "@mdx-ai/permissions";
import {
  DEFAULT_SECONDS,
  isListedHost,
  openRepository,
  Sandbox,
  type SandboxCredential,
  type SandboxPolicy,
  sandboxPolicy,
} from "@mdx-ai/sandbox";
import type { FindQuestions } from "@mdx-ai/sessions";
import {
  BackgroundCommands,
  builtinTools,
  declaredLimits,
  FileMemory,
  inlineTool,
  skillFile,
  ToolHost,
  ToolSources,
} from "@mdx-ai/tools";
import type { AgentLog } from "../log/agent-log.ts";
import { declaredServers, type LoadedServers, NO_SERVERS, takenWarning } from "../mcp/declared-servers.ts";
import type { OpenServersParts } from "../mcp/mcp-servers.ts";
import { baseDirTransform } from "../skills/skills.ts";
import type { Subagents } from "../subagents/subagents.ts";
import type { AgentOptions } from "../types/agent-options.ts";
import type { LoadedModules } from "../types/module.ts";
import { hasProject, type PromptSettings, promptSettings, toolRoom } from "./prompt-settings.ts";
import type { SkillSources } from "./skill-sources.ts";

/** The options of an open agent, with defaults filled in. */
export type OpenOptions = AgentOptions & Required<Pick<AgentOptions, DefaultedOption>>;

type DefaultedOption = "dataDirectory" | "clock" | "onWarning" | "cwd" | "environment" | "toolHostCommand";

/** One reading of an agent directory without its modules, and everything that the next reading replaces. */
export interface ReadAgent {
  /** Contains the directory as it was read. */
  readonly options: OpenOptions;
  readonly settings: PromptSettings;
  readonly host: ToolHost;
  readonly skills: SkillSources;
  readonly sandbox: Sandbox;
  /** Builtin, inline, skill and module tools, in this order. */
  readonly sources: ToolSources;
  /** The files that its sessions have read and written. */
  readonly files: FileMemory;
  /** The commands that run in the background of sessions; the same in later readings. */
  readonly background: BackgroundCommands;
  /** Decides about calls of the tools. */
  readonly permissions: Permissions;
  readonly servers: LoadedServers;
  /** The variables of its commands and tools, without keys for hosts. */
  readonly environment: Environment;
  /** The agents that work as its tools; absent without any. */
  readonly agents?: Subagents;
  /** Warns the user about tools outside the sandbox, once for all readings. */
  readonly warnUncontained: (message: string) => void;
  /** Warns the user about what a model cannot do, once for all readings. */
  readonly warnOfModel: (message: string) => void;
}

/** One reading of an agent directory. */
export interface LoadedAgent extends ReadAgent {
  readonly modules: LoadedModules;
}

export interface LoadAgentOptions {
  readonly log: AgentLog;
  readonly redactor: Redactor;
  /** Finds the questions of a session, for the MCP servers. */
  readonly questionsOf: FindQuestions;
  /** Replaces a tool. Name, description and parameters must stay the same. */
  readonly change: (tool: AgentTool) => AgentTool;
}

/**
 * Makes the builtin and inline tools of an agent; modules come later. If it replaces another reading, approvals are kept.
 * Rejects with `SandboxMissingError` or `MalformedPermissionError`.
 */
export async function loadAgent(
  options: OpenOptions,
  { log, redactor, questionsOf, change }: LoadAgentOptions,
  before?: ReadAgent,
): Promise<ReadAgent> {
  const { path: agentDir, realPath, definition } = options.directory;
  const { cwd, workspace, trusted, onWarning, toolNetwork, toolStubs, toolHostCommand } = options;
  const { environment, credentials } = hasCredentials(options)
    ? await loadCredentials(options)
    : noCredentials(options);
  const skillFolders = otherSkillFolders(options.directory);
  const readable = [...skillFolders, ...(options.additionalDirectories ?? [])];
  const policy = withReadable(sandboxPolicy(options.sandbox, definition.settings.sandbox), readable);
  const definingFiles = trusted?.files;
  const surroundings = { agentDir, cwd, workspace, environment, definingFiles, toolHostCommand };
  const workingDirectory = toolsFolder(options);
  const warnUncontained = before?.warnUncontained ?? warnOnce(onWarning);
  const warnOfModel = before?.warnOfModel ?? warnOfEachOnce(onWarning);
  const sandbox = new Sandbox({
    ...surroundings,
    dataDir: options.dataDirectory,
    keeps: keptData(options),
    policy,
    lists: () => protectedPaths({ environment, definingFiles }),
    onWarning: warnUncontained,
    credentials,
    toolNetwork,
    denied: () => ({ read: deniedPaths(permissions, "read"), write: deniedPaths(permissions, "write") }),
  });
  const host = new ToolHost({
    ...{ command: toolHostCommand, agentDir, realPath, cwd: workingDirectory, environment, sandbox },
    hashes: trusted?.imports?.hashes,
    stubs: toolStubs,
  });
  const { settings, skills: indexed } = definition;
  const network = { network: options.sandbox?.network, toolNetwork };
  const files = before?.files ?? new FileMemory();
  const background = before?.background ?? new BackgroundCommands();
  const builtins = builtinTools(
    {
      ...{ environment, files, background, sandbox, cwd, network },
      ...(options.webSearch !== "provider" && { webSearch: options.webSearch }),
      ...(workspace !== undefined && { seconds: DEFAULT_SECONDS.workspace }),
      ...(indexed.length > 0 && { readTransform: baseDirTransform({ skills: indexed, agentDir }) }),
      editor: options.editor,
      shownFiles: (tool, root) => shownPaths(permissions, tool, root),
      isHidden: (path) => isReadingDenied(permissions, path),
    },
    offeredBuiltins(settings, hasProject(options)),
  );
  const inline = definition.tools
    .filter(({ name }) => isOffered(name, settings))
    .map((tool) => inlineTool(tool, host))
    .map(change);
  const offered = builtins.map(change);
  const skills = await loadSkills({ ...options, environment }, { workingDirectory, sandbox, change });
  const limitsOf = new Map(definition.tools.map((tool) => [tool.name, declaredLimits(tool)]));
  const servers = await loadServers(options, { folder: workingDirectory, log, questionsOf, before: before?.servers });
  const said: DirectoryPermissions = {
    settings: definition.settings.permissions,
    mode: definition.settings.mode,
    definingFiles,
    skillFolders: [...skillFolders, ...(options.agents ?? []).map(({ folder }) => folder)],
    dataDir: options.dataDirectory,
    sandboxRequired: policy.mode === "required",
    codeHashOf: (tool) => {
      if (tool.origin === "builtin") return undefined;
      return (tool.origin === "inline" ? trusted?.tools.get(tool.name) : skills.hashOf(tool)) ?? trusted?.modules;
    },
    isShellSandboxed: async (tool) => {
      const containment = tool.origin === "builtin" ? "sandbox" : skills.containmentOf(tool);
      return containment === "container" || (containment === "sandbox" && (await holds(sandbox)));
    },
    isHostListed: (host) => isListedHost(host, network.network),
    unenforcedLimits: async ({ name, origin }) => {
      const limits = origin === "inline" ? limitsOf.get(name) : undefined;
      return limits === undefined || (await holds(sandbox)) ? undefined : limits;
    },
  };
  const permissions =
    before?.permissions.after(said) ??
    new Permissions({
      ...said,
      ...{ agentDir, cwd, workspace, environment, onWarning },
      additionalDirectories: options.additionalDirectories,
      repository: (folder) => openRepository(folder, { environment })?.root,
      user: options.permissions,
      onApproval: options.onApproval,
      answersWithin: options.answersWithin,
      approvalsDirectory: options.approvalsDirectory,
      parent: options.parent?.permissions,
      redact: (text) => redactor.text(text),
      now: () => options.clock.now(),
    });
  await sandbox.ready();
  const agents = options.agents?.length ? await loadAgents(options, { permissions, policy }) : undefined;
  const sources = new ToolSources(
    [
      { origin: "builtin", tools: () => offered },
      { origin: "inline", tools: () => inline },
      ...skills.sources,
      ...(options.tools ?? []),
      ...(await selfEditSources(options, questionsOf)),
      ...(agents?.sources ?? []),
      ...servers.sources((name) => isOfferedOfServer(name, settings), change),
    ],
    { agentDir, cwd: workingDirectory, log: (message) => log.write(message), onTaken: takenWarning(onWarning) },
  );
  sources.deferBeyond(toolRoom(settings));
  return {
    options,
    settings: promptSettings(options),
    host,
    skills,
    sandbox,
    sources,
    files,
    background,
    permissions,
    servers,
    environment,
    ...(agents !== undefined && { agents }),
    warnUncontained,
    warnOfModel,
  };
}

/** The tool by which the agent changes itself; its code is loaded only if the settings allow it. */
async function selfEditSources(
  { selfEdit: editor, directory }: OpenOptions,
  questionsOf: FindQuestions,
): Promise<readonly ToolSource[]> {
  if (editor === undefined || directory.definition.settings.self_edit === undefined) return [];
  const { selfEditTool } = await import("./self-edit-tool.ts");
  const tool = selfEditTool({ editor, questionsOf });
  return [{ origin: "builtin", tools: () => [tool] }];
}

/** Loads the code for agents that work as tools. */
async function loadAgents(
  options: OpenOptions,
  {
    permissions,
    policy: { network, ...policy },
  }: { readonly permissions: Permissions; readonly policy: SandboxPolicy },
): Promise<Subagents> {
  const { agents = [], parent } = options;
  const { Subagents: Opened } = await import("../subagents/subagents.ts");
  const sandbox = { ...policy, network: network === "none" ? [] : network };
  const depth = parent?.depth ?? 0;
  return new Opened({ agents, permissions, sandbox, depth, workspace: toolsFolder(options) });
}

interface LoadedCredentials {
  /** The variables that commands and tools may see. */
  readonly environment: Environment;
  /** The keys that the agent gets. */
  readonly credentials?: readonly SandboxCredential[];
}

/** Whether the user grants keys, or the agent wishes for some. */
const hasCredentials = ({ credentials = [], directory }: OpenOptions): boolean =>
  credentials.length > 0 || directory.definition.settings.credentials !== undefined;

const noCredentials = ({ environment }: OpenOptions): LoadedCredentials => ({ environment });

/** Loads the code for keys. */
async function loadCredentials({ directory, environment, ...options }: OpenOptions): Promise<LoadedCredentials> {
  const { credentials: grants = [], onKey, onWarning } = options;
  const { tools, settings } = directory.definition;
  const { credentialsFor, withoutKeys } = await import("./credentials.ts");
  return {
    environment: withoutKeys(environment, grants),
    credentials: credentialsFor({ grants, wishes: settings.credentials ?? {}, tools, onKey, onWarning }),
  };
}

/** Loads the code for MCP servers if there are any. */
async function loadServers(options: OpenOptions, parts: OpenServersParts): Promise<LoadedServers> {
  const declared = declaredServers(options.directory, options.servers ?? [], options.onWarning);
  if (declared.length === 0) return NO_SERVERS;
  const { openServers } = await import("../mcp/mcp-servers.ts");
  return openServers(declared, options, parts);
}

interface SkillSurroundings extends Pick<LoadAgentOptions, "change"> {
  readonly workingDirectory: string;
  readonly sandbox: Sandbox;
}

/** Loads the code for the tools of skills if there are any. */
async function loadSkills(
  options: OpenOptions,
  { workingDirectory, sandbox, change }: SkillSurroundings,
): Promise<SkillSources> {
  const { cwd, environment, toolNetwork, trusted } = options;
  const { path: agentDir, definition } = options.directory;
  const { skills, settings } = definition;
  if (skills.every(({ tools = [] }) => tools.length === 0)) return NO_SKILL_TOOLS;
  const { skillSources } = await import("./skill-sources.ts");
  const { network } = options.sandbox ?? {};
  return skillSources({
    skills,
    surroundings: { agentDir, workingDirectory, cwd, environment, sandbox, toolNetwork, network },
    hashes: trusted?.imports?.hashes,
    isOffered: (name) => isOffered(name, settings),
    change,
  });
}

/** For an agent whose skills have no tools. */
export const NO_SKILL_TOOLS: SkillSources = {
  sources: [],
  containmentOf: () => undefined,
  hashOf: () => undefined,
  close: async () => {},
};

/** Ends all tool processes of a loaded agent. Never rejects. */
export async function closeLoaded({ agents, skills, host }: ReadAgent): Promise<void> {
  await agents?.close();
  await skills.close();
  // This also closes the sandbox.
  await host.close();
}

/** The folders of skills outside the directory, which a model may read. Absolute. */
const otherSkillFolders = ({ path: agentDir, definition }: AgentDirectory): readonly string[] =>
  definition.skills.map((skill) => dirname(skillFile(skill, agentDir))).filter((folder) => !isWithin(agentDir, folder));

const withReadable = (policy: SandboxPolicy, folders: readonly string[]): SandboxPolicy =>
  folders.length === 0 ? policy : { ...policy, read: [...policy.read, ...folders] };

/** The working directory of an agent's tools: its workspace, else its directory. Absolute. */
export const toolsFolder = ({ workspace, directory }: Pick<AgentOptions, "workspace" | "directory">): string =>
  workspace ?? directory.path;

/** Whether a sandbox replaces questions: an untested one does not. */
async function holds(sandbox: Sandbox): Promise<boolean> {
  const state = await sandbox.state();
  return state.contained && state.program === "bubblewrap";
}

/** An ephemeral agent writes only its usage log, and only if there is a daily limit. */
function keptData({ ephemeral = false, directory }: OpenOptions): "all" | "usage" | "nothing" {
  if (!ephemeral) return "all";
  return directory.definition.settings.limits?.day === undefined ? "nothing" : "usage";
}

/** Whether the author's settings include a tool of the agent's files. */
export const isOffered = (name: string, { tools }: Pick<AgentSettings, "tools">): boolean =>
  tools?.includes(name) !== false;

/** The same for an MCP tool, which `mcp.*` and `mcp.SERVER.*` also match. */
const isOfferedOfServer = (name: string, { tools }: Pick<AgentSettings, "tools">): boolean =>
  tools === undefined || tools.some((named) => textMatcher(named)(name));

import { dirname } from "node:path";
import { isWithin, warnOfEachOnce, warnOnce } from "@mdx-ai/base";
import type { AgentTool, ToolSource } from "@mdx-ai/loop";
import { type AgentDirectory, offeredBuiltins } from "@mdx-ai/parser";
import {
  type DirectoryPermissions,
  deniedPaths,
  isReadingDenied,
  Permissions,
  protectedPaths,
  shownPaths,
} from "@mdx-ai/permissions";
import {
  DEFAULT_SECONDS,
  isListedHost,
  openRepository,
  Sandbox,
  type SandboxPolicy,
  sandboxPolicy,
} from "@mdx-ai/sandbox";
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
import { takenWarning } from "../mcp/declared-servers.ts";
import { baseDirTransform } from "../skills/skills.ts";
import type { Subagents } from "../subagents/subagents.ts";
import type { LoadedCredentials } from "./credentials.ts";
import type { LoadAgentOptions, OpenOptions, ReadAgent, SkillSources } from "./loaded-agent.ts";
import { hasProject, offeredTools, promptSettings, toolRoom, toolsFolder } from "./prompt-settings.ts";
import type { SkillSourcesParts } from "./skill-sources.ts";

/**
 * Makes the builtin and inline tools of an agent; modules come later. If it replaces another reading, approvals are kept.
 * Rejects with `SandboxMissingError` or `MalformedPermissionError`.
 */
export async function loadAgent(options: OpenOptions, parts: LoadAgentOptions, before?: ReadAgent): Promise<ReadAgent> {
  const { directory, onWarning, trusted, toolStubs, toolHostCommand: command } = options;
  const { path: agentDir, realPath } = directory;
  const settings = promptSettings(options);
  const room = toolRoom(directory.definition.settings);
  const cwd = toolsFolder(options);
  const inlineTools = offeredTools(directory.definition);
  const offered = offeredBuiltins(directory.definition.settings, hasProject(options));
  const warnUncontained = before?.warnUncontained ?? warnOnce(onWarning);
  const warnOfModel = before?.warnOfModel ?? warnOfEachOnce(onWarning);
  const { environment, credentials }: LoadedCredentials = hasCredentials(options)
    ? await loadCredentials(options)
    : { environment: options.environment };
  const policy = policyOf(options);
  const contained = { environment, credentials, policy };
  const sandbox = openSandbox(options, { ...contained, warnUncontained, permissions: () => permissions });
  const host = new ToolHost({
    ...{ command, agentDir, realPath, cwd, environment, sandbox },
    ...{ hashes: trusted?.imports?.hashes, stubs: toolStubs },
  });
  const files = before?.files ?? new FileMemory();
  const background = before?.background ?? new BackgroundCommands();
  const made = { environment, sandbox, host, files, background };
  const unchanged = makeBuiltins(options, { ...made, offered }, () => permissions);
  const inline = inlineTools.map((tool) => inlineTool(tool, host)).map(parts.change);
  const builtins = unchanged.map(parts.change);
  const skills = await loadSkills(options, { ...made, change: parts.change });
  const said = directoryPermissions(options, { policy, sandbox, skills });
  const permissions = before?.permissions.after(said) ?? openPermissions(options, said, { ...parts, environment });
  await sandbox.ready();
  const agents = options.agents?.length ? await loadAgents(options, { permissions, policy }) : undefined;
  const sources = new ToolSources(
    [
      { origin: "builtin", tools: () => builtins },
      { origin: "inline", tools: () => inline },
      ...skills.sources,
      ...(options.tools ?? []),
      ...(await selfEditSources(options, parts)),
      ...(agents?.sources ?? []),
    ],
    { agentDir, cwd, log: (message) => parts.log.write(message), onTaken: takenWarning(onWarning) },
  );
  sources.deferBeyond(room);
  return {
    ...{ options, settings, host, skills, sandbox, sources, files, background, permissions },
    ...{ environment, warnUncontained, warnOfModel },
    ...(agents !== undefined && { agents }),
  };
}

/** The author's limits and the user's, with the files that the agent's tools may read besides. */
function policyOf(options: OpenOptions): SandboxPolicy {
  const policy = sandboxPolicy(options.sandbox, options.directory.definition.settings.sandbox);
  const folders = [...otherSkillFolders(options.directory), ...(options.additionalDirectories ?? [])];
  return folders.length === 0 ? policy : { ...policy, read: [...policy.read, ...folders] };
}

/** The folders of skills outside the directory, which a model may read. Absolute. */
const otherSkillFolders = ({ path: agentDir, definition }: AgentDirectory): readonly string[] =>
  definition.skills.map((skill) => dirname(skillFile(skill, agentDir))).filter((folder) => !isWithin(agentDir, folder));

interface SandboxParts extends LoadedCredentials, Pick<ReadAgent, "warnUncontained"> {
  readonly policy: SandboxPolicy;
  readonly permissions: () => Permissions;
}

function openSandbox(
  options: OpenOptions,
  { environment, credentials, policy, warnUncontained, permissions }: SandboxParts,
): Sandbox {
  const { directory, cwd, workspace, trusted, toolHostCommand, toolNetwork, dataDirectory: dataDir } = options;
  const definingFiles = trusted?.files;
  return new Sandbox({
    ...{ agentDir: directory.path, cwd, workspace, environment, definingFiles, toolHostCommand },
    ...{ dataDir, policy, credentials, toolNetwork, keeps: keptData(options), onWarning: warnUncontained },
    lists: () => protectedPaths({ environment, definingFiles }),
    denied: () => ({ read: deniedPaths(permissions(), "read"), write: deniedPaths(permissions(), "write") }),
  });
}

/** An ephemeral agent writes only its usage log, and only if there is a daily limit. */
function keptData({ ephemeral = false, directory }: OpenOptions): "all" | "usage" | "nothing" {
  if (!ephemeral) return "all";
  return directory.definition.settings.limits?.day === undefined ? "nothing" : "usage";
}

interface BuiltinParts extends Pick<ReadAgent, "environment" | "sandbox" | "files" | "background"> {
  /** The names of the tools. */
  readonly offered: readonly string[];
}

function makeBuiltins(
  options: OpenOptions,
  { environment, sandbox, files, background, offered }: BuiltinParts,
  permissions: () => Permissions,
): readonly AgentTool[] {
  const { cwd, workspace, webSearch, editor, toolNetwork, directory } = options;
  const { skills } = directory.definition;
  return builtinTools(
    {
      ...{ environment, files, background, sandbox, cwd, editor },
      network: { network: options.sandbox?.network, toolNetwork },
      ...(webSearch !== "provider" && { webSearch }),
      ...(workspace !== undefined && { seconds: DEFAULT_SECONDS.workspace }),
      ...(skills.length > 0 && { readTransform: baseDirTransform({ skills, agentDir: directory.path }) }),
      shownFiles: (tool, root) => shownPaths(permissions(), tool, root),
      isHidden: (path) => isReadingDenied(permissions(), path),
    },
    offered,
  );
}

interface ContainmentParts extends Pick<ReadAgent, "sandbox" | "skills"> {
  readonly policy: SandboxPolicy;
}

/** The facts of the directory that decide about calls. */
function directoryPermissions(
  { directory, trusted, agents = [], sandbox: asked, dataDirectory: dataDir }: OpenOptions,
  { policy, sandbox, skills }: ContainmentParts,
): DirectoryPermissions {
  const { settings, tools } = directory.definition;
  const limitsOf = new Map(tools.map((tool) => [tool.name, declaredLimits(tool)]));
  return {
    ...{ settings: settings.permissions, mode: settings.mode, dataDir, definingFiles: trusted?.files },
    skillFolders: [...otherSkillFolders(directory), ...agents.map(({ folder }) => folder)],
    sandboxRequired: policy.mode === "required",
    codeHashOf: (tool) => {
      if (tool.origin === "builtin") return undefined;
      return (tool.origin === "inline" ? trusted?.tools.get(tool.name) : skills.hashOf(tool)) ?? trusted?.modules;
    },
    isShellSandboxed: async (tool) => {
      const containment = tool.origin === "builtin" ? "sandbox" : skills.containmentOf(tool);
      return containment === "container" || (containment === "sandbox" && (await replacesQuestions(sandbox)));
    },
    isHostListed: (host) => isListedHost(host, asked?.network),
    unenforcedLimits: async ({ name, origin }) => {
      const limits = origin === "inline" ? limitsOf.get(name) : undefined;
      return limits === undefined || (await replacesQuestions(sandbox)) ? undefined : limits;
    },
  };
}

/** Whether a sandbox replaces questions: an untested one does not. */
async function replacesQuestions(sandbox: Sandbox): Promise<boolean> {
  const state = await sandbox.state();
  return state.contained && state.program === "bubblewrap";
}

function openPermissions(
  options: OpenOptions,
  said: DirectoryPermissions,
  { redactor, environment }: Pick<LoadAgentOptions, "redactor"> & Pick<ReadAgent, "environment">,
): Permissions {
  const { directory, cwd, workspace, onWarning, additionalDirectories, clock } = options;
  return new Permissions({
    ...said,
    ...{ agentDir: directory.path, cwd, workspace, environment, onWarning, additionalDirectories },
    ...{ user: options.permissions, onApproval: options.onApproval, answersWithin: options.answersWithin },
    ...{ approvalsDirectory: options.approvalsDirectory, parent: options.parent?.permissions },
    repository: (folder) => openRepository(folder, { environment })?.root,
    redact: (text) => redactor.text(text),
    now: () => clock.now(),
  });
}

/** Whether the user grants keys, or the agent wishes for some. */
const hasCredentials = ({ credentials = [], directory }: OpenOptions): boolean =>
  credentials.length > 0 || directory.definition.settings.credentials !== undefined;

/** Loads the code for keys. */
async function loadCredentials(options: OpenOptions): Promise<LoadedCredentials> {
  const { openCredentials } = await import("./credentials.ts");
  return openCredentials(options);
}

/** Loads the code for the tools of skills if there are any. */
async function loadSkills(options: OpenOptions, parts: SkillSourcesParts): Promise<SkillSources> {
  const { skills } = options.directory.definition;
  if (skills.every(({ tools = [] }) => tools.length === 0)) return NO_SKILL_TOOLS;
  const { openSkills } = await import("./skill-sources.ts");
  return openSkills(options, parts);
}

/** For an agent whose skills have no tools. */
export const NO_SKILL_TOOLS: SkillSources = {
  sources: [],
  containmentOf: () => undefined,
  hashOf: () => undefined,
  close: async () => {},
};

/** The tool by which the agent changes itself; its code is loaded only if the settings allow it. */
async function selfEditSources(
  { selfEdit: editor, directory }: OpenOptions,
  { questionsOf }: Pick<LoadAgentOptions, "questionsOf">,
): Promise<readonly ToolSource[]> {
  if (editor === undefined || directory.definition.settings.self_edit === undefined) return [];
  const { selfEditTool } = await import("./self-edit-tool.ts");
  const tool = selfEditTool({ editor, questionsOf });
  return [{ origin: "builtin", tools: () => [tool] }];
}

/** Loads the code for agents that work as tools. */
async function loadAgents(
  options: OpenOptions,
  { permissions, policy }: { readonly permissions: Permissions; readonly policy: SandboxPolicy },
): Promise<Subagents> {
  const { agents = [], parent } = options;
  const { Subagents: Opened } = await import("../subagents/subagents.ts");
  const sandbox = { ...policy, network: policy.network === "none" ? [] : policy.network };
  return new Opened({ agents, permissions, sandbox, depth: parent?.depth ?? 0, workspace: toolsFolder(options) });
}

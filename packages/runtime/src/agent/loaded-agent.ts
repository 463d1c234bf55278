import type { Environment, Redactor } from "@mdx-ai/base";
import type { AgentTool, NamedTool, ToolSource } from "@mdx-ai/loop";
import type { Permissions } from "@mdx-ai/permissions";
import type { Sandbox } from "@mdx-ai/sandbox";
import type { FindQuestions } from "@mdx-ai/sessions";
import type { BackgroundCommands, FileMemory, ToolHost, ToolSources } from "@mdx-ai/tools";
import type { AgentLog } from "../log/agent-log.ts";
import type { McpServer } from "../mcp/mcp-server.ts";
import type { LoadedModules } from "../modules/loaded-modules.ts";
import type { Subagents } from "../subagents/subagents.ts";
import type { AgentOptions } from "../types/agent-options.ts";
import type { PromptSettings } from "./prompt-settings.ts";

/** The options of an open agent, with defaults filled in. */
export type OpenOptions = AgentOptions & Required<Pick<AgentOptions, DefaultedOption>>;

type DefaultedOption = "dataDirectory" | "clock" | "onWarning" | "cwd" | "environment" | "toolHostCommand";

/** The tools of an agent's skills, and the facts that decide about their calls. */
export interface SkillSources {
  readonly sources: readonly ToolSource[];
  /** What contains the command of a tool: its container, or the sandbox of the shell; undefined for other tools. */
  containmentOf(tool: NamedTool): "container" | "sandbox" | undefined;
  /** A hash of everything that a call of a skill tool runs; undefined for other tools. */
  hashOf(tool: NamedTool): string | undefined;
  /** Ends the processes that serve the tools. Never rejects; may be called twice. */
  close(): Promise<void>;
}

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
  /** The MCP servers among the modules. */
  readonly servers: readonly McpServer[];
}

export interface LoadAgentOptions {
  readonly log: AgentLog;
  readonly redactor: Redactor;
  /** Finds the questions of a session, for the MCP servers. */
  readonly questionsOf: FindQuestions;
  /** Replaces a tool. Name, description and parameters must stay the same. */
  readonly change: (tool: AgentTool) => AgentTool;
}

/** Ends all tool processes of a loaded agent. Never rejects. */
export async function closeLoaded({ agents, skills, host }: ReadAgent): Promise<void> {
  await agents?.close();
  await skills.close();
  // This also closes the sandbox.
  await host.close();
}

import type { ContextPolicy } from "@mdx-ai/loop";
import type { ModelParameters } from "@mdx-ai/models";
import {
  type AgentDefinition,
  type AgentSettings,
  offeredBuiltins,
  type PromptLimits,
  type ToolDefinition,
} from "@mdx-ai/parser";
import type { AgentOptions } from "../types/agent-options.ts";

export const DEFAULT_TURNS = 50;
/** Of the sessions that run concurrently. */
export const DEFAULT_SLOTS = 8;
export const DEFAULT_RETRIES = 2;
const DEFAULT_COMPACT_AT = 0.8;

/** The settings of prompts: the author's, overridden by the agent's options. */
export interface PromptSettings {
  readonly parameters: ModelParameters;
  /** Seconds before each retry of a failed call; null: the loop chooses. */
  readonly retries: readonly (number | null)[];
  readonly limits: PromptLimits & { readonly turns: number };
  readonly context: ContextPolicy;
}

/** Options override settings. */
export function promptSettings(
  options: Pick<
    AgentOptions,
    "directory" | "parameters" | "retries" | "maxTurns" | "webSearch" | "workspace" | "isOwnFolder"
  >,
): PromptSettings {
  const { settings } = options.directory.definition;
  return {
    parameters: {
      ...settingsParameters(settings),
      ...(searchesByProvider(options) && { webSearch: true }),
      ...options.parameters,
    },
    retries: retryDelays(options.retries ?? settings.retries ?? DEFAULT_RETRIES),
    limits: { ...settings.limits, turns: options.maxTurns ?? settings.limits?.turns ?? DEFAULT_TURNS },
    context: contextPolicy(settings),
  };
}

/** Whether tools work in a project, rather than in a folder of the agent. */
export const hasProject = ({ workspace, isOwnFolder }: Pick<AgentOptions, "workspace" | "isOwnFolder">): boolean =>
  workspace !== undefined && isOwnFolder !== true;

/** The working directory of an agent's tools: its workspace, else its directory. Absolute. */
export const toolsFolder = ({ workspace, directory }: Pick<AgentOptions, "workspace" | "directory">): string =>
  workspace ?? directory.path;

/** Whether the author's settings include a tool of the agent's files. */
export const isOffered = (name: string, { tools }: Pick<AgentSettings, "tools">): boolean =>
  tools?.includes(name) !== false;

/** The tools of agent.mdx that the author's settings include. */
export const offeredTools = ({ tools, settings }: AgentDefinition): readonly ToolDefinition[] =>
  tools.filter(({ name }) => isOffered(name, settings));

/** Whether the providers of the models search the web: the user's choice, for agents that have the tool `web_search`. */
export const searchesByProvider = ({
  directory: { definition },
  webSearch,
  ...options
}: Pick<AgentOptions, "directory" | "webSearch" | "workspace" | "isOwnFolder">): boolean =>
  webSearch === "provider" &&
  offeredBuiltins(definition.settings, hasProject(options)).includes("web_search") &&
  definition.tools.every(({ name }) => name !== "web_search");

function settingsParameters(settings: AgentSettings): ModelParameters {
  const { temperature, max_tokens: maxTokens, thinking, reasoning_effort: effort, stream } = settings;
  return {
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(thinking !== undefined && { thinking }),
    ...(effort !== undefined && { effort }),
    ...(stream !== undefined && { stream }),
  };
}

/** The share of a model's window that the tools of MCP servers and skills may take, and its tokens if it is not known. */
const TOOLS_SHARE = 0.1;
const USUAL_WINDOW = 200_000;
/** Bytes of JSON for each token, about. */
const BYTES_PER_TOKEN = 4;

/** The bytes of those tools from which a model has to look for them. */
export function toolRoom({ deferredTools, context }: AgentSettings, window: number = USUAL_WINDOW): number {
  if (deferredTools !== undefined) return deferredTools ? 0 : Number.POSITIVE_INFINITY;
  return TOOLS_SHARE * (context?.window ?? window) * BYTES_PER_TOKEN;
}

/** Seconds before each retry; null: the loop chooses. */
export const retryDelays = (retries: number | readonly number[]): readonly (number | null)[] =>
  typeof retries === "number" ? Array.from({ length: retries }, () => null) : retries;

/** Without automatic compaction, a summary is made only on request. */
function contextPolicy({ context = {} }: AgentSettings): ContextPolicy {
  const { messages, window, compactAt = messages === undefined ? DEFAULT_COMPACT_AT : "off" } = context;
  return {
    ...(messages !== undefined && { messages }),
    ...(compactAt !== "off" && { compactAt }),
    ...(window !== undefined && { window }),
  };
}

import type { AgentTool, ToolRegistry } from "@mdx-ai/loop";
import type { ToolCall } from "@mdx-ai/models";
import { type AgentDirectory, isReplaceable, offeredBuiltins, parametersSchema } from "@mdx-ai/parser";
import { DEFAULT_SECONDS } from "@mdx-ai/sandbox";
import { type PromptHistory, ReplayError } from "@mdx-ai/sessions";
import { BUILTIN_TOOLS, builtinTools, toolDescription, toolRegistry } from "@mdx-ai/tools";

/** Whether an agent has modules, whose tools and prompt sections are known only by running them. */
export const hasModules = ({ definition }: AgentDirectory): boolean =>
  definition.modules.length > 0 || typeof definition.settings.memory === "object";

/** Whether a builtin tool is offered only if the user's settings ask for it. */
export const isOfSettings = (name: string): boolean =>
  BUILTIN_TOOLS.includes(name) && builtinTools({ environment: {} }, [name]).length === 0;

/** Makes every builtin tool, whatever the user's settings are now. */
const ALL_SETTINGS = { environment: {}, webSearch: { url: "http://localhost" } };

/** Where the tools of an agent work. */
export interface ToolPlace {
  /** Whether it is not the agent directory. */
  readonly hasWorkspace: boolean;
  /** Whether it is a project of the user, and not the own folder of an added agent. */
  readonly hasProject: boolean;
}

/**
 * The builtin, inline and skill tools of an agent as a model sees them, by default in a project. They include the tools
 * that depend on the user's settings, and cannot be run.
 */
export function definedTools(
  { definition }: AgentDirectory,
  { hasWorkspace, hasProject }: ToolPlace = { hasWorkspace: true, hasProject: true },
): readonly AgentTool[] {
  const { settings } = definition;
  const isOffered = ({ name }: { readonly name: string }): boolean => settings.tools?.includes(name) !== false;
  const offered = definition.tools.filter(isOffered);
  const replaced = new Set(offered.map(({ name }) => name).filter(isReplaceable));
  const builtins = offeredBuiltins(settings, hasProject).filter((name) => !replaced.has(name));
  const inline = offered.map((tool) => ({
    name: tool.name,
    description: toolDescription(tool),
    parameters: parametersSchema(tool),
  }));
  const ownNames = new Set([...builtins, ...offered.map(({ name }) => name)]);
  const ofSkills = definition.skills
    .flatMap(({ tools = [] }) => tools)
    .filter((tool) => isOffered(tool) && !ownNames.has(tool.name))
    .map(({ name, description, schema }) => ({ name, description, parameters: schema }));
  // The first of several with the same name wins.
  const unique = new Map(ofSkills.toReversed().map((tool) => [tool.name, tool]));
  const seconds = hasWorkspace ? { seconds: DEFAULT_SECONDS.workspace } : {};
  return [...builtinTools({ ...ALL_SETTINGS, ...seconds }, builtins), ...inline, ...unique.values()].map((tool) => ({
    ...tool,
    execute: neverRun,
  }));
}

async function neverRun(): Promise<never> {
  throw new ReplayError("a replay tried to run a tool");
}

/** The author's name for the tool of a recorded call. */
export function recordedName({ begin }: PromptHistory, wireName: string, known: Pick<ToolRegistry, "nameOf">): string {
  return begin?.plan.tools.find(({ wire }) => wire === wireName)?.name ?? known.nameOf(wireName);
}

/** A registry of names only; it runs nothing. An unknown tool may belong to a module. */
export function knownTools(directory: AgentDirectory, tools: readonly AgentTool[]): ToolRegistry {
  const log = async (): Promise<void> => {};
  const registry = toolRegistry(tools, { agentDir: directory.path, cwd: directory.path, log });
  const names = new Set(registry.schemas.map(({ name }) => name));
  const isForeign = (call: ToolCall): boolean => hasModules(directory) && !names.has(call.name);
  return { ...registry, refusal: (call) => (isForeign(call) ? undefined : registry.refusal(call)) };
}

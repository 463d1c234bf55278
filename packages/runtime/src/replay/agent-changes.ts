import { type AgentParts, type AgentTool, namedChanges } from "@mdx-ai/loop";
import { type AgentDirectory, isReplaceable, type SkillDefinition } from "@mdx-ai/parser";
import { isEnabled, NO_CHOICES, type RecordedPrompt } from "@mdx-ai/sessions";
import { agentParts, skillPart, WORKSPACE_PARTS } from "../agent/prompt-head.ts";
import { readRemembered } from "../memory/agent-memory.ts";
import { definedTools, hasModules, isOfSettings, knownTools, type ToolPlace } from "../recording/recorded-tools.ts";
import type { Remembered } from "../types/memory.ts";

/** The changes in an agent between a recorded prompt and the next one, or the current state. */
export interface AgentChange {
  /** The last prompt before the change. */
  readonly prompt: number;
  /** Such as `section "Rules"`, `parameters of tool weather` or `skill "packing" (gone)`. Not empty. */
  readonly parts: readonly string[];
}

/** The current agent. */
export interface AgentToday {
  readonly directory: AgentDirectory;
  /** The data directory with its memories. Absolute. */
  readonly dataDirectory: string;
  /** All of its tools. Without them, module tools are unknown. */
  readonly tools?: readonly AgentTool[];
}

/**
 * The changes that matter for the given prompts; none if the journal does not describe the agent. Module texts and
 * memories are not compared.
 */
export function agentChanges(prompts: readonly RecordedPrompt[], today: AgentToday): readonly AgentChange[] {
  const { path: agentDir } = today.directory;
  const remembered = readRemembered({ agentDir, dataDir: today.dataDirectory }, () => {});
  return prompts.flatMap((prompt, index) => {
    const { number, agent } = prompt;
    if (agent === undefined || Bun.deepEquals(prompts[index + 1]?.agent, agent)) return [];
    const parts = differingParts(agent, presentAgent(prompt, { ...today, remembered }));
    return parts.length === 0 ? [] : [{ prompt: number, parts }];
  });
}

/** The current agent as it would work on a recorded prompt. */
function presentAgent(
  prompt: RecordedPrompt,
  { directory, tools, remembered }: AgentToday & { readonly remembered: Remembered },
): PresentAgent {
  const skills = comparedSkills(prompt, directory);
  const compared = { ...directory, definition: { ...directory.definition, skills } };
  const { schemas } = knownTools(directory, tools ?? comparedTools(prompt, compared));
  const names = new Set(schemas.map(({ name }) => name));
  const ofServers = serverTools(prompt);
  const isComplete = tools !== undefined || !hasModules(directory);
  return {
    parts: agentParts({
      ...{ definition: directory.definition, skills },
      ...{ moduleSections: [], tools: schemas, remembered },
    }),
    isKnown: (part) => {
      const tool = toolOf(part);
      if (tool === undefined) return !isPassing(part);
      return names.has(tool.name) || (isComplete && !ofServers.has(tool.name));
    },
  };
}

/** The skills that are enabled by default, and those that the prompt had. */
const comparedSkills = ({ agent }: RecordedPrompt, { definition }: AgentDirectory): readonly SkillDefinition[] =>
  definition.skills.filter((skill) => isEnabled(skill, NO_CHOICES) || Object.hasOwn(agent ?? {}, skillPart(skill)));

/** The tools of its files; those that depend on the user's settings only if the prompt had them. */
const comparedTools = (prompt: RecordedPrompt, directory: AgentDirectory): readonly AgentTool[] =>
  definedTools(directory, recordedPlace(prompt)).filter(
    ({ name }) => !isOfSettings(name) || Object.hasOwn(prompt.agent ?? {}, parametersOf(name)),
  );

/** The wire names of MCP tools: a replay connects to no server. */
const serverTools = ({ history: { begin } }: RecordedPrompt): ReadonlySet<string> =>
  new Set((begin?.plan.tools ?? []).flatMap(({ wire, origin }) => (String(origin).startsWith("mcp:") ? wire : [])));

/** Where the tools of a prompt worked. In the own folder of an added agent, it has only the builtin tools of every agent. */
function recordedPlace({ history: { begin } }: RecordedPrompt): ToolPlace {
  const isOfProject =
    begin?.plan.tools.some(({ name, origin }) => origin === "builtin" && isReplaceable(name)) ?? false;
  return { hasWorkspace: begin?.plan.workspace !== undefined, hasProject: isOfProject };
}

interface PresentAgent {
  readonly parts: AgentParts;
  /** Whether the current state of a part is known at all. */
  isKnown(part: string): boolean;
}

function differingParts(before: AgentParts, { parts: now, isKnown }: PresentAgent): readonly string[] {
  const names = [...new Set([...Object.keys(now), ...Object.keys(before)])].filter(isKnown);
  const states = new Map(names.map((name) => [name, stateOf(before[name], now[name])]));
  const changed = names.filter((name) => states.get(name) !== "same");
  return namedChanges(changed).flatMap((name) => {
    const state = states.get(name);
    const tool = toolOf(name);
    if (tool?.about === "description" && states.get(parametersOf(tool.name)) === state && state !== "changed")
      return [];
    if (state === "changed") return [name];
    return [`${tool?.about === "parameters" ? `tool ${tool.name}` : name} (${state})`];
  });
}

type PartState = "same" | "changed" | "new" | "gone";

function stateOf(before: string | undefined, now: string | undefined): PartState {
  if (before === now) return "same";
  if (before === undefined) return "new";
  return now === undefined ? "gone" : "changed";
}

const parametersOf = (tool: string): string => `parameters of tool ${tool}`;

/** The tool of a part, and whether the part is its description or its parameters; undefined for other parts. */
function toolOf(part: string): { readonly about: "description" | "parameters"; readonly name: string } | undefined {
  const [, about, name = ""] = /^(description|parameters) of tool (.*)$/s.exec(part) ?? [];
  return about === "description" || about === "parameters" ? { about, name } : undefined;
}

const OF_WORKSPACE: readonly string[] = Object.values(WORKSPACE_PARTS);

/** Whether a part is outside the agent's definition and may differ at each prompt. */
const isPassing = (part: string): boolean =>
  part === "long-term memory" || OF_WORKSPACE.includes(part) || /^section \d+ of the modules$/.test(part);

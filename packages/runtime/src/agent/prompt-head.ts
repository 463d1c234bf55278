import { fingerprints, isRecord, sha256 } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import { type AgentParts, type Conversation, isSent, type NamedText, PROSE_PART, STEPS, type Step } from "@mdx-ai/loop";
import type { ToolSchema } from "@mdx-ai/models";
import type { AgentDefinition, AgentIdentity, SkillDefinition } from "@mdx-ai/parser";
import { whyHidden } from "@mdx-ai/permissions";
import { disabledSkills, isEnabled, NO_CHOICES, type SkillChoices } from "@mdx-ai/sessions";
import type { ToolSnapshot } from "@mdx-ai/tools";
import type { AgentMemory } from "../memory/agent-memory.ts";
import { systemPrompt } from "../prompt/system-prompt.ts";
import { sentText, triggeredSkills } from "../skills/skill-contexts.ts";
import type { Remembered, WorkspaceHead } from "../types/memory.ts";
import type { AgentSkill } from "../types/session.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { toolsFolder } from "./prompt-settings.ts";

/** The skills that are enabled in a session, and the tools without those of disabled skills. */
export interface ToolSet {
  readonly skills: readonly SkillDefinition[];
  readonly snapshot: ToolSnapshot;
}

/** The current skills and tools of a session with these choices. Without a choice, the skill's default applies. */
export const toolSetOf = (loaded: LoadedAgent, choices: SkillChoices = NO_CHOICES): ToolSet =>
  toolSetWithout(disabledSkills(loaded.options.directory.definition.skills, choices), loaded);

/** The same once the sources of the tools are ready, such as connected to their servers. Never rejects. */
export async function preparedToolSet(
  loaded: LoadedAgent,
  choices: SkillChoices,
  signal: AbortSignal,
): Promise<ToolSet> {
  const disabled = disabledSkills(loaded.options.directory.definition.skills, choices);
  await loaded.sources.prepare(disabled, signal);
  return toolSetWithout(disabled, loaded);
}

function toolSetWithout(disabled: ReadonlySet<string>, { options, sources }: LoadedAgent): ToolSet {
  const { skills } = options.directory.definition;
  return { skills: skills.filter(({ name }) => !disabled.has(name)), snapshot: sources.snapshot(disabled) };
}

interface InputContext {
  readonly conversation: Conversation;
  readonly loaded: LoadedAgent;
  readonly toolSet: ToolSet;
}

/** The skills that a user input triggers, without skills whose text the model has already. */
export function newSkills(input: string, { conversation, loaded, toolSet }: InputContext): readonly SkillDefinition[] {
  if (toolSet.skills.length === 0) return [];
  const { directory } = loaded.options;
  const triggered = triggeredSkills(input, toolSet.skills);
  return triggered.filter((skill) => {
    const text = sentText(skill, directory.path);
    return !input.includes(text) && !isSent(text, conversation, loaded.settings.context);
  });
}

/** As `Session.skills`. */
export function agentSkills({ options, sources }: LoadedAgent, choices: SkillChoices): readonly AgentSkill[] {
  return options.directory.definition.skills.map((definition) => ({
    definition,
    isEnabled: isEnabled(definition, choices),
    tools: sources.toolsOfSkill(definition.name).map(({ name }) => name),
    tags: [...new Set([...(definition.tags ?? []), ...(definition.toolTags ?? [])])],
  }));
}

/** The parts that all prompts of a session share. */
export interface PromptHead {
  /** The system prompt, exactly as a model receives it. */
  readonly system: string;
  readonly parts: AgentParts;
  /** The texts of the parts. */
  readonly texts: () => readonly NamedText[];
}

export interface PromptHeadOptions {
  readonly memory: AgentMemory;
  readonly toolSet: ToolSet;
  /** The working directory of the session. Absolute. Default: the agent's working directory. */
  readonly cwd?: string | undefined;
}

/** If the agent's prose contains code, `step` stores its output. Rejects with the error of that code. */
export async function promptHead(
  step: Step,
  loaded: LoadedAgent,
  { memory, toolSet, cwd = toolsFolder(loaded.options) }: PromptHeadOptions,
): Promise<PromptHead> {
  const { options, host, modules } = loaded;
  const remembered = await memory.read();
  const { skills, snapshot } = toolSet;
  const tools = snapshot.registry.schemas;
  const { path: agentDir, definition } = options.directory;
  const known = [definition.identity.prose, remembered.notes?.text ?? ""];
  const workspace = cwd === agentDir ? undefined : await workspaceHead({ folder: cwd, known }, step, loaded);
  const changing = { skills, moduleSections: modules.sections(), remembered, tools, workspace };
  const identity = await sessionIdentity(definition, step, (program) => host.render(program));
  return {
    system: systemPrompt({ identity, agentDir, catalog: definition.settings.skills?.catalog, ...changing }),
    parts: agentParts({ definition, ...changing }),
    texts: () => sentTexts({ definition, ...changing }),
  };
}

/**
 * Reads the state and the instructions of a workspace once for a session and journals them, so that the prompt stays byte-identical.
 * Leaves out a file that is within a known text, as in an agent that was made from the project.
 */
async function workspaceHead(
  { folder, known }: { readonly folder: string; readonly known: readonly string[] },
  step: Step,
  { options: { directory, onWarning, clock, environment, additionalDirectories: more = [] }, permissions }: LoadedAgent,
): Promise<WorkspaceHead | undefined> {
  if (realPathOrSame(folder) === realPathOrSame(directory.path)) return undefined;
  const [{ isRepositoryNotes, readRepositoryNotes }, { isWorkspaceFacts, readWorkspaceFacts }] = await Promise.all([
    import("../memory/repository-notes.ts"),
    import("../memory/workspace-facts.ts"),
  ]);
  const read = async (): Promise<KeptHead> => ({
    facts: await readWorkspaceFacts(folder, { clock, environment }),
    notes: readRepositoryNotes(folder, { whyHidden: (path) => whyHidden(permissions, path), onWarning }).filter(
      ({ text }) => !known.some((one) => one.includes(text.trim())),
    ),
  });
  const accepts = (value: unknown): value is KeptHead =>
    isRecord(value) && isWorkspaceFacts(value["facts"]) && isRepositoryNotes(value["notes"]);
  const kept = await step(STEPS.repository.name(hashOf(folder)), read, { accepts, effect: "none" });
  return { folder, ...kept, ...(more.length > 0 && { more }) };
}

type KeptHead = Pick<WorkspaceHead, "facts" | "notes">;

/**
 * The agent's identity in a session. Code in the prose runs once, when the session is created or the prose has
 * changed. Its output is journaled, so that the prompt stays byte-identical.
 */
async function sessionIdentity(
  definition: AgentDefinition,
  step: Step,
  render: (program: string) => Promise<string>,
): Promise<AgentIdentity> {
  const { program } = definition;
  if (program === undefined) return definition.identity;
  const markdown = await step(STEPS.identity.name(hashOf(program)), () => render(program), {
    accepts: STEPS.identity.accepts,
  });
  const { parseIdentity } = await import("@mdx-ai/parser/parse");
  return parseIdentity(markdown, definition.settings);
}

/** The parts of an agent that a model receives. */
export interface SentParts {
  readonly definition: AgentDefinition;
  /** The skills enabled in the session. */
  readonly skills: readonly SkillDefinition[];
  /** The sections that modules add to the system prompt. */
  readonly moduleSections: readonly string[];
  readonly tools: readonly ToolSchema[];
  /** The user's memories and notes. */
  readonly remembered: Remembered;
  readonly workspace?: WorkspaceHead | undefined;
}

/** The names of parts that come from the workspace and not from the agent. */
export const WORKSPACE_PARTS = { folder: "workspace", notes: "instructions of the repository" } as const;

/** The name of a skill's part. */
export const skillPart = ({ name }: SkillDefinition): string => `skill "${name}"`;

/** The parts of an agent that a model receives, each with a name that its author recognizes and a hash of its text. */
export const agentParts = (parts: SentParts): AgentParts =>
  fingerprints([...sentTexts(parts), [PROSE_PART, parts.definition.identity.prose]]);

/** The parts with their texts. No text is empty or within another one. */
function sentTexts({
  definition,
  skills,
  moduleSections,
  tools,
  remembered,
  workspace,
}: SentParts): readonly NamedText[] {
  const { identity, program } = definition;
  const { name, introduction, purpose, capabilities, constraints, personality, sections } = identity;
  const texts: NamedText[] = [
    ["name", name],
    ["introduction", introduction],
    ['section "Purpose"', purpose],
    ['section "Capabilities"', capabilities.join("\n")],
    ['section "Constraints"', constraints.join("\n")],
    ['section "Personality"', personality],
    ...sections.map(({ title, body }): NamedText => [`section "${title}"`, body]),
    ["code of the prose", program ?? ""],
    ["AGENT.md", remembered.notes?.text ?? ""],
    ...skills.flatMap((skill): NamedText[] => [
      [skillPart(skill), skill.description],
      [`instructions of ${skillPart(skill)}`, skill.alwaysInject === true ? (skill.text ?? "") : ""],
    ]),
    ...moduleSections.map((text, index): NamedText => [`section ${index + 1} of the modules`, text]),
    ...tools.flatMap((tool): NamedText[] => [
      [`description of tool ${tool.name}`, tool.description],
      [`parameters of tool ${tool.name}`, JSON.stringify(tool.parameters)],
    ]),
    [WORKSPACE_PARTS.folder, [workspace?.folder ?? "", ...(workspace?.more ?? [])].join("\n")],
    [WORKSPACE_PARTS.notes, workspace?.notes.map(({ text }) => text).join("\n") ?? ""],
    ["long-term memory", remembered.memories.map(({ content }) => content).join("\n")],
  ];
  return texts.filter(([, text]) => text !== "");
}

const hashOf = (text: string): string => sha256(text).slice(0, 16);

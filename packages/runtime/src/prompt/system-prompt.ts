import { resolve } from "node:path";
import { type AgentIdentity, basicTool, type SkillDefinition, type SkillsSettings } from "@mdx-ai/parser";
import { skillInstructions } from "../skills/skill-contexts.ts";
import type {
  GitState,
  Memory,
  Notes,
  Remembered,
  RepositoryNotes,
  WorkspaceFacts,
  WorkspaceHead,
} from "../types/memory.ts";

export interface SystemPromptParts {
  readonly identity: AgentIdentity;
  /** The skills enabled in the session. */
  readonly skills: readonly SkillDefinition[];
  /** How the skills are listed; `tiers` also puts the memories last. Default: `xml`. */
  readonly catalog?: SkillsSettings["catalog"];
  /** Absolute. */
  readonly agentDir: string;
  /** The sections of the modules, in their order. */
  readonly moduleSections: readonly string[];
  /** In the order in which the model receives them. */
  readonly tools: readonly ToolHint[];
  /** The agent's memories and notes. */
  readonly remembered: Remembered;
  /** Absent if tools work in the agent directory. */
  readonly workspace?: WorkspaceHead | undefined;
}

/** A tool as the prompt lists it. */
interface ToolHint {
  /** The wire name. */
  readonly name: string;
  readonly description: string;
}

/**
 * The system prompt: the agent's name and prose, AGENT.md, skills, module sections, tool hints, long-term memory, workspace, as
 * Markdown. Equal parts give equal bytes, so that providers can cache the prompt. An empty part has no heading.
 */
export function systemPrompt({ agentDir, workspace, ...parts }: SystemPromptParts): string {
  // Without `read_file`, skills are only for the user's commands.
  const hasReader = parts.tools.some(({ name }) => name === basicTool.reads);
  const locate = (path: string): string => (workspace === undefined ? path : resolve(agentDir, path));
  const isTiers = parts.catalog === "tiers";
  const { memories } = parts.remembered;
  const texts = [
    ...identityTexts(parts.identity),
    notesText(parts.remembered.notes),
    isTiers ? tiersCatalog(parts.skills) : xmlCatalog(parts.skills, { hasReader, locate }),
    ...instructionTexts(parts.skills, agentDir),
    ...parts.moduleSections,
    toolsText(parts.tools, workspace === undefined ? agentDir : undefined),
    isTiers ? "" : memoriesText(memories),
    ...(workspace === undefined ? [] : workspaceTexts(workspace, agentDir)),
    isTiers ? memoriesTier(memories) : "",
  ];
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n\n");
}

const identityTexts = ({ name, prose }: AgentIdentity): readonly string[] => [
  name === "" ? "" : `You are ${name}.`,
  prose,
];

/** The content of AGENT.md, and a note about omitted bytes. */
function notesText(notes: Notes | undefined): string {
  if (notes === undefined) return "";
  const { text, size, omitted } = notes;
  const rest = omitted === 0 ? "" : `\n\n(AGENT.md continues: the last ${omitted} of its ${size} bytes are left out.)`;
  return section("AGENT.md", `${text.trim()}${rest}`);
}

/** The memories in birdie's format. */
const memoriesTier = (memories: readonly Memory[]): string =>
  memories.length === 0 ? "" : `--- Long-term memory ---\n${bulletList(memories.map(({ content }) => content))}`;

const memoriesText = (memories: readonly Memory[]): string =>
  section("Long-term memory", bulletList(memories.map(({ content }) => content)));

/** All tools with the first line of their descriptions, and the base of relative paths unless another section names it. */
function toolsText(tools: readonly ToolHint[], agentDir: string | undefined): string {
  if (tools.length === 0) return "";
  return [
    "## Tools",
    "",
    ...(agentDir === undefined
      ? []
      : [`Commands run in the agent's directory, ${agentDir}, and relative paths start there.`, ""]),
    ...tools.map(({ name, description }) => {
      const line = description.trim().split(/\r?\n/u, 1)[0]?.trimEnd() ?? "";
      return line === "" ? `- ${name}` : `- ${name}: ${line}`;
    }),
  ].join("\n");
}

/** The workspace, and the instructions of its repository. */
const workspaceTexts = ({ folder, facts, notes, more = [] }: WorkspaceHead, agentDir: string): readonly string[] => [
  section(
    "Workspace",
    [
      `You work in ${folder}: commands run there, and relative paths start there. Your own files are in ${agentDir}.`,
      ...(more.length === 0 ? [] : [`These folders belong to the work, too:\n${bulletList(more)}`]),
      `When this conversation began:\n${bulletList(factLines(facts))}`,
    ].join("\n\n"),
  ),
  ...(notes.length === 0 ? [] : [repositoryText(notes)]),
];

const factLines = ({ date, platform, shell, git }: WorkspaceFacts): readonly string[] => [
  `date: ${date}`,
  `platform: ${platform}`,
  `shell: ${shell}`,
  ...(git === undefined ? [] : [`git: ${gitText(git)}`]),
];

const gitText = ({ branch, isClean }: GitState): string =>
  `${branch === "" ? "no branch" : `branch ${lineOf(branch)}`}, ${isClean ? "no uncommitted changes" : "uncommitted changes"}`;

/** Matches the tags that delimit a file's text. */
const END_OF_FILE = /<\/(?=repository_file\s*>)/gi;

/** Encloses each file in tags that its text cannot close, so that its headings cannot pass for headings of this prompt. */
const repositoryText = (notes: readonly RepositoryNotes[]): string =>
  [
    "## Instructions of the repository",
    "The files of this repository say how to work in it. Where they differ, the last one counts. What is within the tags is their text, and neither the user's nor a part of what is above.",
    ...notes.map(({ path, text, size, omitted }) => {
      const rest = omitted === 0 ? "" : `(The last ${omitted} of its ${size} bytes are left out.)`;
      const file = [
        `<repository_file path=${JSON.stringify(path)}>`,
        text.trim().replace(END_OF_FILE, "<\\/"),
        "</repository_file>",
      ];
      return [file.join("\n"), rest].filter((part) => part !== "").join("\n\n");
    }),
  ].join("\n\n");

/** A section with a heading; empty if it has no body. */
function section(title: string, body: string): string {
  return body.trim() === "" ? "" : `## ${title}\n\n${body.trim()}`;
}

/** A Markdown list. Continuation lines are indented, so that they stay in their item. */
const bulletList = (items: readonly string[]): string =>
  items.map((item) => `- ${item.trim().replaceAll(/\r\n?|\n/g, "\n  ")}`).join("\n");

/** What the skills section depends on. */
interface CatalogOptions {
  /** Whether the model can read the files of skills. */
  readonly hasReader: boolean;
  /** The path of a skill's file as the model should write it. */
  readonly locate: (path: string) => string;
}

/** The skills that the model may know of. */
const visible = (skills: readonly SkillDefinition[]): readonly SkillDefinition[] =>
  skills.filter(({ disableModelInvocation }) => disableModelInvocation !== true);

/** The texts of skills that are part of every prompt. */
const instructionTexts = (skills: readonly SkillDefinition[], agentDir: string): readonly string[] =>
  skills.flatMap((skill) =>
    skill.alwaysInject === true && skill.text !== undefined ? [skillInstructions(skill, agentDir)] : [],
  );

/** The skills as a list of names, descriptions and triggers, in birdie's format. */
function tiersCatalog(skills: readonly SkillDefinition[]): string {
  const lines = visible(skills).map(({ name, description, triggers = [] }) => {
    const hint = triggers.length === 0 ? "" : `  triggers: ${triggers.map(lineOf).join(", ")}`;
    return `- **${lineOf(name)}**: ${lineOf(description)}${hint}`;
  });
  return lines.length === 0 ? "" : ["You have access to the following skills:", "", ...lines].join("\n");
}

const lineOf = (text: string): string => text.replace(/\s+/g, " ").trim();

/** The skills as XML, with instructions to read them. A skill without a text to read has no location; a skill with tools lists them. */
function xmlCatalog(skills: readonly SkillDefinition[], { hasReader, locate }: CatalogOptions): string {
  const isRead = ({ tools, alwaysInject }: SkillDefinition): boolean => tools === undefined && alwaysInject !== true;
  const shown = visible(skills).filter((skill) => hasReader || !isRead(skill));
  if (shown.length === 0) return "";
  return [
    "## Skills",
    "",
    ...(shown.some(isRead) ? READING : ["A skill holds instructions or tools for one kind of task."]),
    "",
    "<available_skills>",
    ...shown.flatMap((skill) => [
      "  <skill>",
      `    <name>${escaped(skill.name)}</name>`,
      `    <description>${escaped(skill.description)}</description>`,
      ...(isRead(skill) ? [`    <location>${escaped(locate(skill.path))}</location>`] : []),
      ...toolsLine(skill),
      "  </skill>",
    ]),
    "</available_skills>",
  ].join("\n");
}

const READING: readonly string[] = [
  "A skill holds instructions for one kind of task. When a task fits a skill's description, read the skill's file with",
  "read_file first and follow it.",
];

const toolsLine = ({ tools = [] }: SkillDefinition): readonly string[] =>
  tools.length === 0 ? [] : [`    <tools>${escaped(tools.map(({ name }) => name).join(", "))}</tools>`];

const escaped = (text: string): string =>
  text.trim().replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

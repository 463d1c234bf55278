import type { SkillDefinition } from "@mdx-ai/parser";
import { skillInstructions } from "../skills/skill-contexts.ts";

/** What the prompt says of skills depends on where it is sent. */
export interface CatalogOptions {
  /** Whether the model can read the files of skills. */
  readonly hasReader: boolean;
  /** The path of a skill's file as the model must write it. */
  readonly locate: (path: string) => string;
}

/** The skills that the model may know of. */
const visible = (skills: readonly SkillDefinition[]): readonly SkillDefinition[] =>
  skills.filter(({ disableModelInvocation }) => disableModelInvocation !== true);

/** The texts of skills that belong to every prompt. */
export const instructionTexts = (skills: readonly SkillDefinition[], agentDir: string): readonly string[] =>
  skills.flatMap((skill) =>
    skill.alwaysInject === true && skill.text !== undefined ? [skillInstructions(skill, agentDir)] : [],
  );

/** The skills as a list of names, descriptions and triggers, as birdie has it. */
export function tiersCatalog(skills: readonly SkillDefinition[]): string {
  const lines = visible(skills).map(({ name, description, triggers = [] }) => {
    const hint = triggers.length === 0 ? "" : `  triggers: ${triggers.map(lineOf).join(", ")}`;
    return `- **${lineOf(name)}**: ${lineOf(description)}${hint}`;
  });
  return lines.length === 0 ? "" : ["You have access to the following skills:", "", ...lines].join("\n");
}

const lineOf = (text: string): string => text.replace(/\s+/g, " ").trim();

/** The skills as XML, and how to read them. One whose text needs no reading has no location; a tool's skill names its tools. */
export function xmlCatalog(skills: readonly SkillDefinition[], { hasReader, locate }: CatalogOptions): string {
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

import type { SkillDefinition } from "@mdx-ai/parser";

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
]);

/** The skills there are, as XML, and how to read them; empty without skills. */
export function skillsText(skills: readonly SkillDefinition[]): string {
  if (skills.length === 0) return "";
  return [
    "## Skills",
    "",
    "A skill holds instructions for one kind of task. When a task fits a skill's description, read the skill's file with",
    "read_file first and follow it.",
    "",
    "<available_skills>",
    ...skills.flatMap(skillElement),
    "</available_skills>",
  ].join("\n");
}

function skillElement({ name, description, path }: SkillDefinition): string[] {
  return [
    "  <skill>",
    `    <name>${escaped(name)}</name>`,
    `    <description>${escaped(description)}</description>`,
    `    <location>${escaped(path)}</location>`,
    "  </skill>",
  ];
}

function escaped(text: string): string {
  return text.trim().replace(/[&<>]/gu, (character) => ESCAPES.get(character) ?? character);
}

import { plainLine } from "@mdx-ai/directory/text";
import type { SkillDefinition } from "@mdx-ai/parser";
import type { AgentSkill, Session } from "@mdx-ai/runtime";
import { skillKind } from "../output/skill-kind.ts";
import type { Completion } from "./screen/input-completion.ts";

/** Runs `/skill` and returns the answer. Rejects as the session does. */
export async function runSkillCommand(words: string, session: Session): Promise<string> {
  const [, what = "", name = ""] = /^(\S*)\s*(.*)$/s.exec(words.trim()) ?? [];
  if (what === "list" && name === "") return skillsText(await session.skills());
  if ((what !== "enable" && what !== "disable") || name === "") return USE;
  await (what === "enable" ? session.enableSkill(name) : session.disableSkill(name));
  return `${plainLine(name)} is ${what}d in this session, from the next prompt on.`;
}

const USE = "/skill list shows the skills of this session; /skill enable NAME and /skill disable NAME change them.";

function skillsText(skills: readonly AgentSkill[]): string {
  if (skills.length === 0) return "This agent has no skills; they live in skills/NAME/SKILL.md.";
  const rows = skills.map(({ definition, isEnabled }) => [
    plainLine(definition.name),
    isEnabled ? "enabled" : "disabled",
    skillKind(definition),
    plainLine(definition.description.replace(/\s+/g, " ").trim()),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Completions after `/skill`. */
export const skillWords =
  (skills: readonly SkillDefinition[]) =>
  (words: string): readonly Completion[] => {
    const verb = /^(enable|disable)\s/.exec(words)?.[1];
    if (verb === undefined) return VERBS;
    return skills.map(({ name, description }) => ({ value: `${verb} ${name}`, description: plainLine(description) }));
  };

const VERBS: readonly Completion[] = [
  { value: "list", description: "lists the skills, and which of them this session has" },
  { value: "enable ", description: "adds a skill to this session" },
  { value: "disable ", description: "removes a skill from this session" },
];

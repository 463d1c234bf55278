import { byPosition, locate, type Report } from "../report.ts";
import { readYamlMap, type YamlMap } from "../settings/yaml-map.ts";
import { SourceText } from "../source-text.ts";
import type { SkillDefinition } from "../types/agent-definition.ts";
import type { Diagnostic } from "../types/diagnostic.ts";
import { readLenientYaml } from "./lenient-yaml.ts";
import { lintSkill } from "./lint-skill.ts";
import { splitSkill } from "./split-skill.ts";

/** What a SKILL.md says. */
export interface ParsedSkill {
  /** Absent if the file has no description, which the list needs. */
  readonly skill?: SkillDefinition;
  /** By position. */
  readonly diagnostics: readonly Diagnostic[];
}

interface Frontmatter {
  /** Whether it is YAML. */
  readonly isWhole: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
  offsetOf(key: string): number;
}

/**
 * Reads the text of a SKILL.md, leniently: broken YAML is read line by line, with a warning. `file` is its path within the
 * agent directory, whose last folder names a skill without a name. Never parsed as MDX; never throws.
 */
export function parseSkill(text: string, file: string): ParsedSkill {
  const source = new SourceText(text);
  const diagnostics: Diagnostic[] = [];
  const report: Report = (problem) => diagnostics.push(locate(problem, source, file));
  const { frontmatter, body, start } = splitSkill(text);
  const { isWhole, fields, offsetOf } = readFrontmatter(frontmatter, start, report);
  const folder = file.split("/").at(-2) ?? file;
  const name = textOf(fields["name"]) || folder;
  const description = textOf(fields["description"]);
  if (description === "") reportNoDescription(offsetOf("description"), frontmatter !== "", report);
  lintSkill({ name, folder, description, fields: isWhole ? fields : {}, body, offsetOf }, report);
  diagnostics.sort(byPosition);
  return description === "" ? { diagnostics } : { skill: { name, description, path: file }, diagnostics };
}

function readFrontmatter(frontmatter: string, start: number, report: Report): Frontmatter {
  const yaml = readYamlMap(frontmatter);
  for (const problem of yaml.problems) {
    report({
      rule: "skill-frontmatter",
      offset: start + problem.offset,
      message: `cannot parse the YAML (${problem.message})`,
      hint: "put a value that contains colons or quotes in quotes; until then each line is read on its own",
    });
  }
  if (yaml.problems.length === 0)
    return { isWhole: true, fields: yaml.values, offsetOf: (key) => rangeOf(yaml, key, start) };
  const fields = Object.fromEntries(readLenientYaml(frontmatter));
  return {
    isWhole: false,
    fields,
    offsetOf: (key) => start + Math.max(0, frontmatter.search(new RegExp(`^["']?${key}\\b`, "m"))),
  };
}

function rangeOf(yaml: YamlMap, key: string, start: number): number {
  return Object.hasOwn(yaml.values, key) ? start + yaml.rangeAt([key], "value").start : start;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function reportNoDescription(offset: number, hasFrontmatter: boolean, report: Report): void {
  report({
    rule: "skill-description",
    offset,
    message: hasFrontmatter ? "the skill has no description" : "SKILL.md has no frontmatter",
    hint: "write `description: …` between two lines of `---`: what the skill does and when to use it, which is how a model finds it",
  });
}

import { readYamlMap, type YamlMap } from "@mdx-ai/base/yaml";
import { byPosition, locate, quoted, type Report } from "../report.ts";
import { SourceText } from "../source-text.ts";
import type { Diagnostic, Parsed } from "../types/diagnostic.ts";
import type { SkillDefinition } from "../types/skill-definition.ts";
import { bodyDescription } from "./body-description.ts";
import { lintSkill } from "./lint-skill.ts";
import { permissionLines, skillText, toolsSection } from "./skill-sections.ts";
import { readBrokenSettings, readSkillSettings, type SkillFrontmatter, type SkillSettings } from "./skill-settings.ts";
import { readSkillTools, type ToolsReading } from "./skill-tools.ts";
import { readLenientYaml } from "./skill-yaml.ts";
import { splitSkill } from "./split-skill.ts";

interface Frontmatter extends SkillFrontmatter {
  /** Whether it is YAML. */
  readonly isWhole: boolean;
}

/**
 * Reads the text of a SKILL.md as leniently as others do: broken YAML is read line by line, the folder's name and the first
 * paragraph stand for a missing name and description. No mistake is an error. `file` is its path within the agent directory.
 * A file that has neither a description nor a text that could serve as one is no skill. Never parsed as MDX; never throws.
 */
export function parseSkill(text: string, file: string): Parsed<SkillDefinition | undefined> {
  const source = new SourceText(text);
  const diagnostics: Diagnostic[] = [];
  const report: Report = (problem) => diagnostics.push(locate(problem, source, file));
  if (isLinkText(text)) {
    reportLink(text, report);
    return { definition: undefined, diagnostics };
  }
  const { frontmatter, body, start } = splitSkill(text);
  const { isWhole, fields, offsetOf } = readFrontmatter(frontmatter, start, report);
  const folder = file.split("/").at(-2) ?? file;
  const written = { name: textOf(fields["name"]), description: withoutBlockMark(textOf(fields["description"])) };
  const description = written.description || bodyDescription(body);
  if (written.description === "") {
    reportNoDescription(offsetOf("description"), frontmatter !== "", description, report);
  }
  const allowedTools = toolNames(fields["allowed-tools"]);
  lintSkill({ ...written, folder, allowedTools, fields: isWhole ? fields : {}, body, offsetOf }, report);
  const { settings, entrypoints } = readSkillSettings({ fields, offsetOf }, report);
  const structure = structureOf(body, { source, report, settings: entrypoints });
  if (settings.triggers !== undefined && structure.tools !== undefined) reportTriggers(offsetOf("triggers"), report);
  diagnostics.sort(byPosition);
  if (description === "") return { definition: undefined, diagnostics };
  const definition = {
    name: written.name || folder,
    description,
    path: file,
    ...(allowedTools.length > 0 && { allowedTools }),
    ...settings,
    ...structure,
    ...sentText(body, settings),
  };
  return { definition, diagnostics };
}

/** The text that is sent without being asked for, if there is one. */
function sentText(body: string, { alwaysInject = false, triggers }: SkillSettings): Pick<SkillDefinition, "text"> {
  const text = alwaysInject || triggers !== undefined ? skillText(body, alwaysInject) : "";
  return text === "" ? {} : { text };
}

function reportTriggers(offset: number, report: Report): void {
  const message = "`triggers` has no effect: a skill with tools has no text that a message could bring along";
  const hint = "write the text in a skill of its own, or `always_inject: true`";
  report({ rule: "skill-setting", offset, message, hint });
}

/** What the body of a structured skill says besides its text. */
function structureOf(
  body: string,
  reading: Omit<ToolsReading, "base">,
): Pick<SkillDefinition, "tools" | "permissions"> {
  const section = toolsSection(body);
  if (section === undefined) return {};
  const permissions = permissionLines(body);
  return {
    tools: readSkillTools(section, { ...reading, base: reading.source.text.length - body.length }),
    ...(permissions.length > 0 && { permissions }),
  };
}

/** Whether a file holds nothing but a path: a symbolic link that was checked out or unpacked as a text. */
function isLinkText(text: string): boolean {
  return /^\s*(?:[^\s:]*\/\S+|[^\r\n]+\/skill\.md|\S+\.md)\s*$/i.test(text);
}

function reportLink(text: string, report: Report): void {
  report({
    rule: "skill-link",
    offset: text.search(/[^\s\uFEFF]/),
    message: `the skill is ignored: the file contains only the path ${quoted(text)}; a symbolic link was probably checked out as text`,
    hint: "replace the file by the one that it names",
  });
}

/** Some write the mark of a block text before a text on the same line. */
const withoutBlockMark = (text: string): string => text.replace(/^[|>][+-]?\d?[ \t]+(?=\S)/, "");

/** The names of `allowed-tools`, in all forms that are in use: separated by blanks or commas, or a list. */
function toolNames(value: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.flatMap((text) =>
    typeof text === "string" ? (text.replace(/^\[|\]$/g, "").match(/(?:\([^)]*\)|[^\s,(])+/g) ?? []) : [],
  );
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
    return { isWhole: true, fields: yaml.value, offsetOf: (...path) => rangeOf(yaml, path, start) };
  const fields = { ...Object.fromEntries(readLenientYaml(frontmatter)), ...readBrokenSettings(frontmatter) };
  return {
    isWhole: false,
    fields,
    offsetOf: (key = "") => start + Math.max(0, frontmatter.search(new RegExp(`^["']?${key}\\b`, "m"))),
  };
}

function rangeOf(yaml: YamlMap, path: readonly string[], start: number): number {
  return Object.hasOwn(yaml.value, path[0] ?? "") ? start + yaml.range(path, "value").start : start;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** `description` is used instead; empty if there is none. */
function reportNoDescription(offset: number, hasFrontmatter: boolean, description: string, report: Report): void {
  const missing = hasFrontmatter ? "the skill has no description" : "SKILL.md has no frontmatter";
  report({
    rule: "skill-description",
    offset,
    message: description === "" ? `${missing} and no text; it is ignored` : `${missing}: its first paragraph is used`,
    hint: "write `description: …` between two lines of `---`: what the skill does and when to use it, which is how a model finds it",
  });
}

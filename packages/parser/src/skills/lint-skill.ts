import { isRecord } from "@mdx-ai/base";
import { quoted, type Report } from "../report.ts";

const MAX_NAME = 64;
const MAX_DESCRIPTION = 1_024;
const MAX_COMPATIBILITY = 500;
const MAX_LINES = 500;
const nameForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** A skill with the offsets of its fields. */
export interface LintedSkill {
  /** As written; empty if it is missing. */
  readonly name: string;
  /** The name of the skill's folder. */
  readonly folder: string;
  /** As written; empty if it is missing. */
  readonly description: string;
  readonly allowedTools: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  offsetOf(key: string): number;
}

/** Notes what the Agent Skills standard does not allow, though this loader accepts it, and what has no effect here. */
export function lintSkill(skill: LintedSkill, report: Report): void {
  lintName(skill, report);
  lintDescription(skill, report);
  lintFields(skill, report);
  const lines = lineCount(skill.body.trimEnd());
  if (lines <= MAX_LINES) return;
  const message = `the skill is too long: ${lines} lines, at most ${MAX_LINES} are recommended`;
  report({
    rule: "skill-length",
    offset: 0,
    message,
    hint: "move details to other files of its folder, such as references/",
  });
}

function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function lintName({ name, folder, fields, offsetOf }: LintedSkill, report: Report): void {
  const offset = offsetOf("name");
  if (name === "") {
    // That a file has no frontmatter is reported once.
    if (Object.keys(fields).length === 0) return;
    const message = `the skill has no name: ${quoted(folder)}, the name of its folder, is used`;
    report({ rule: "skill-name", offset, message, hint: `write \`name: ${kebabCase(folder)}\`` });
    return;
  }
  if (name.length > MAX_NAME || !nameForm.test(name)) {
    const message = `unexpected skill name ${quoted(name)}, expected at most ${MAX_NAME} lowercase letters, digits and single hyphens`;
    report({ rule: "skill-name", offset, message, hint: `write a name such as \`${kebabCase(name)}\`` });
  }
  if (name === folder) return;
  const message = `unexpected skill name ${quoted(name)}, expected ${quoted(folder)}, the name of its folder`;
  report({ rule: "skill-name", offset, message, hint: "rename the folder or the skill" });
}

function lintDescription({ description, offsetOf }: LintedSkill, report: Report): void {
  if (description.length <= MAX_DESCRIPTION) return;
  const message = `the description is too long: ${description.length} characters, at most ${MAX_DESCRIPTION} are allowed`;
  const hint = "move details to the body: the description is part of every prompt";
  report({ rule: "skill-description-length", offset: offsetOf("description"), message, hint });
}

function lintFields({ fields, allowedTools, offsetOf }: LintedSkill, report: Report): void {
  const { compatibility, metadata } = fields;
  const tools = fields["allowed-tools"];
  const complain = (key: string, expected: string): void => {
    const message = `unexpected value of ${quoted(key)}, expected ${expected}`;
    report({
      rule: "skill-field",
      offset: offsetOf(key),
      message,
      hint: `write ${expected}: other programs may reject the skill`,
    });
  };
  if (
    compatibility !== undefined &&
    !(typeof compatibility === "string" && compatibility.length <= MAX_COMPATIBILITY)
  ) {
    complain("compatibility", `a string of at most ${MAX_COMPATIBILITY} characters`);
  }
  if (metadata !== undefined && !isTextMap(metadata)) complain("metadata", "a map of strings to strings");
  const isSpaced = typeof tools === "string" && !tools.replace(/\([^)]*\)/g, "").includes(",");
  if (tools !== undefined && !isSpaced) complain("allowed-tools", "names separated by spaces");
  const without = OTHER_TOOLS.filter((key) => fields[key] !== undefined);
  for (const key of [...(allowedTools.length > 0 ? ["allowed-tools"] : []), ...without]) {
    const value = key === "allowed-tools" ? `: ${quoted(allowedTools.join(" "))}` : "";
    report({
      rule: "skill-field",
      offset: offsetOf(key),
      message: `\`${key}\` grants and restricts nothing here${value}`,
      hint: "write `permissions` or `tools` in agent.mdx",
    });
  }
}

/** What other programs call the tools of a subagent, found in skills too. */
const OTHER_TOOLS: readonly string[] = ["tools", "disallowed-tools", "disallowedTools"];

function isTextMap(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((inner) => typeof inner === "string");
}

function kebabCase(name: string): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ["my", "skill"];
  return words.join("-").slice(0, MAX_NAME).replace(/-$/, "");
}

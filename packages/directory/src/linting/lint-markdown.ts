import type { SourcePoint } from "@mdx-ai/parser";
import { readMarkdownFile } from "@mdx-ai/parser/frontmatter";
import type { LintedFile } from "./linted-file.ts";
import { meantWord } from "./spelling.ts";

/** A Markdown file of another program. */
export interface LintedMarkdown extends LintedFile {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly hasFrontmatter: boolean;
  /** The position of a key. */
  placeOf(key: string): SourcePoint;
}

/** Reads the frontmatter of a file, and reports what strict readers refuse. */
export function lintedMarkdown(file: LintedFile): LintedMarkdown {
  const source = readMarkdownFile(new TextEncoder().encode(file.text));
  const { fields, isYaml, problem, body } = source;
  if (problem !== undefined) {
    const { message, ...at } = problem;
    file.report(isYaml ? "frontmatter-quotes" : "frontmatter-yaml", {
      at,
      message: `cannot parse the frontmatter as YAML (${message})`,
      hint: "put a value that contains colons, brackets or quotes in quotes",
    });
  }
  const hasFrontmatter = Object.keys(fields).length > 0 && hasBorders(file.text);
  return { ...file, fields, body, hasFrontmatter, placeOf: (key) => ({ line: source.lineOf(key), column: 1 }) };
}

/** Whether the frontmatter begins and ends with a line of dashes, as all programs need it. */
const hasBorders = (text: string): boolean => /^\s*---[ \t]*\n[\s\S]*?^(?:---|\.\.\.)[ \t]*$/m.test(text);

/** Whether a file only looks like a part: a README, a template or an overview beside the parts. */
export const isAside = (path: string): boolean =>
  /^(?:README|CHANGELOG|CONTRIBUTING|LICENSE|INDEX|AGENTS|CLAUDE|SKILL|TEMPLATE|OVERVIEW|_.*)(?:[-_.].*)?$/i.test(
    path.slice(path.lastIndexOf("/") + 1),
  );

interface Keys {
  /** The keys that have an effect. */
  readonly known: readonly string[];
  /** Keys that other programs or people write on purpose. */
  readonly others?: readonly string[];
}

/** Reports keys that are misspelt or unknown. */
export function lintKeys({ fields, placeOf, report }: LintedMarkdown, { known, others = [] }: Keys): void {
  for (const key of Object.keys(fields)) {
    if (known.includes(key) || others.includes(key)) continue;
    const at = placeOf(key);
    const meant = meantWord(key, known);
    if (meant !== undefined && !(meant in fields)) {
      report("key-misspelt", {
        at,
        message: `unexpected key \`${key}\`, expected \`${meant}\``,
        hint: `write \`${meant}\``,
      });
    } else if (meant === undefined) {
      report("key-unknown", {
        at,
        message: `\`${key}\` is not a documented key`,
        hint: "remove it, or check its name",
      });
    }
  }
}

/** One value of a frontmatter. */
export interface FieldCheck {
  readonly key: string;
  readonly fits: (value: unknown) => boolean;
  /** What the value must be. */
  readonly expected: string;
}

/** Reports values that are not what they must be. */
export function lintFields(
  { fields, placeOf, report }: LintedMarkdown,
  rule: "subagent-value" | "command-value" | "agent-value",
  checks: readonly FieldCheck[],
): void {
  for (const { key, fits, expected } of checks) {
    const value = fields[key];
    if (value === undefined || value === null || fits(value)) continue;
    const shown =
      typeof value === "object" ? (Array.isArray(value) ? "a list" : "a map") : `\`${String(value).slice(0, 60)}\``;
    report(rule, {
      at: placeOf(key),
      message: `unexpected ${shown} as \`${key}\`, expected ${expected}`,
      hint: `write ${expected}, or leave \`${key}\` out`,
    });
  }
}

/** Whether a value is one of some words. */
export const oneOf =
  (...words: readonly string[]) =>
  (value: unknown): boolean =>
    words.includes(String(value));

export const isTruth = (value: unknown): boolean => typeof value === "boolean" || value === "true" || value === "false";

export const isText = (value: unknown): boolean => typeof value === "string";

export const isTextOrList = (value: unknown): boolean => isText(value) || Array.isArray(value);

export const isCount = (value: unknown): boolean => Number.isInteger(Number(value)) && Number(value) > 0;

/** Whether a value is a text that is not blank. */
export const isFilled = (value: unknown): boolean =>
  (typeof value === "string" && value.trim() !== "") || typeof value === "number";

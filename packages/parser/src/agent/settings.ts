import type { Root } from "mdast";
import type { Transformer } from "unified";
import { codeFences, isFenced, linesOf, type TextLine } from "../markdown/lines.ts";
import { reportTo } from "../markdown/messages.ts";
import { yamlStart } from "../markdown/syntax-tree.ts";
import type { Problem } from "../report.ts";
import type { ReadSettings } from "../settings/read-settings.ts";
import { agentSettings } from "../settings/settings-schema.ts";

declare module "vfile" {
  interface DataMap {
    settings: ReadSettings;
  }
}

/** A plugin that reads the settings of the frontmatter. */
export const settings = (): Transformer<Root> => async (tree, file) => {
  const text = String(file);
  const yaml = tree.children.find((child) => child.type === "yaml");
  if (yaml === undefined) {
    const misplaced = misplacedFrontmatter(text);
    if (misplaced !== undefined) reportTo(file)(misplaced);
    return;
  }
  const { readSettings } = await import("../settings/read-settings.ts");
  file.data.settings = readSettings(yaml.value, { base: yamlStart(yaml, text), report: reportTo(file) });
};

/** How far into a file, in lines, settings are looked for. */
const MAX_LINES = 60;
const border = /^---[ \t]*$/;
const ofYaml = /^(?:[\w-]+[ \t]*:(?:[ \t].*)?|[ \t]+.*|- .*|#.*|)$/;

/** Frontmatter that does not count: not closed, or not at the start of the text. For texts without any other. */
function misplacedFrontmatter(text: string): Problem | undefined {
  const match = /^(\s*)---[ \t]*\r?\n[A-Za-z][\w-]*[ \t]*:/.exec(text);
  if (match === null) return afterText(text);
  const start = match[1]?.length ?? 0;
  if (start === 0) {
    const message = "the frontmatter is not closed, expected `---`";
    const hint = "write `---` on a line of its own after the settings";
    return { rule: "frontmatter-place", offset: 0, message, hint };
  }
  const hint = "remove the blanks before `---`";
  return { ...misplaced(start), hint, fix: { start: 0, end: start, text: "" } };
}

/** A line of dashes may be a thematic break; one that is followed by a setting and another line of dashes is not. */
function afterText(text: string): Problem | undefined {
  const lines = linesOf(text).take(MAX_LINES).toArray();
  const opening = lines.findIndex(
    (line, index) => border.test(line.text) && isSetting(lines[index + 1]?.text ?? "") && isClosed(lines, index + 1),
  );
  const line = lines[opening];
  if (line === undefined) return undefined;
  return isFenced(line.start, codeFences(text))
    ? undefined
    : { ...misplaced(line.start), hint: "move the settings to the start of the file" };
}

function misplaced(offset: number): Problem {
  const message = "unexpected text before the frontmatter, expected `---` on the first line";
  return { rule: "frontmatter-place", offset, message };
}

function isSetting(line: string): boolean {
  return Object.hasOwn(agentSettings.properties ?? {}, /^(\w+)[ \t]*:(?:[ \t]|$)/.exec(line)?.[1] ?? "");
}

function isClosed(lines: readonly TextLine[], from: number): boolean {
  const end = lines.findIndex((line, index) => index >= from && !ofYaml.test(line.text));
  return border.test(lines[end]?.text ?? "");
}

import { readYamlMap, type YamlProblem } from "@mdx-ai/base/yaml";
import { powerSettings } from "../powers.ts";
import { lineStartAt } from "../source-text.ts";
import type { TextEdit } from "../types/diagnostic.ts";

/** In a longer text a fix would take too long to find: each candidate is parsed. */
const MAX_TEXT = 20_000;
const pair = /^([ \t]*(?:- +)?[\w-]+[ \t]*:[ \t]+)(\S.*?)[ \t]*$/;
const withoutBlank = /^([ \t]*[\w-]+:)[^\s:"'[{]\S*[ \t]*$/;

/**
 * The one change of its line that fixes a mistake in YAML: quotes around a value, a blank after a colon, blanks for tabs.
 * It leaves fewer mistakes and changes no setting that grants power. Offsets are those of the text.
 */
export function yamlFix(text: string, problem: YamlProblem): TextEdit | undefined {
  if (text.length > MAX_TEXT || /unresolved alias/i.test(problem.message)) return undefined;
  const start = lineStartAt(text, problem.offset);
  const line = /^[^\r\n]*/.exec(text.slice(start))?.[0] ?? "";
  const before = readYamlMap(text).problems.length;
  return fixesOf(line)
    .map((edit) => ({ start: edit.start + start, end: edit.end + start, text: edit.text }))
    .find((edit) => isSafe(edit, text, before));
}

function isSafe({ start, end, text: put }: TextEdit, text: string, problems: number): boolean {
  const fixed = readYamlMap(text.slice(0, start) + put + text.slice(end));
  if (fixed.problems.length >= problems) return false;
  return !powerSettings.some((name) => {
    const [key, value] = [fixed.range([name], "key"), fixed.range([name], "value")];
    return key.start < key.end && start < value.end && key.start < start + Math.max(1, put.length);
  });
}

/** In offsets of the line. */
function fixesOf(line: string): readonly TextEdit[] {
  const tabs = /^[ ]*\t[ \t]*/.exec(line)?.[0];
  if (tabs !== undefined) return [{ start: 0, end: tabs.length, text: tabs.replaceAll("\t", "  ") }];
  const colon = withoutBlank.exec(line)?.[1]?.length;
  if (colon !== undefined) return [{ start: colon, end: colon, text: " " }];
  const [, key = "", value = ""] = pair.exec(line) ?? [];
  return value === ""
    ? []
    : quotedValues(value).map((text) => ({ start: key.length, end: key.length + value.length, text }));
}

/** The value in quotes: as it is, or without quotes of its own that do not fit. */
function quotedValues(value: string): readonly string[] {
  // A list or a map that is not closed is no text.
  if (/^[[{]/.test(value)) return [];
  const [, quote = "", inner = "", closing = ""] = /^(["']?)(.*?)(\1)$/s.exec(value) ?? [];
  if (quote === "") return /^(["'])/.test(value) ? [value + value.charAt(0)] : [JSON.stringify(value)];
  return closing !== "" && inner.includes("\\") && !inner.includes("'") ? [`'${inner}'`] : [JSON.stringify(inner)];
}

import type { TextEdit } from "../types/diagnostic.ts";
import { readYamlMap, type YamlProblem } from "./yaml-map.ts";

/** Beyond it a mend would cost more than it is worth: each one is tried. */
const longestText = 20_000;
const pair = /^([ \t]*(?:- +)?[\w-]+[ \t]*:[ \t]+)(\S.*?)[ \t]*$/;
const withoutBlank = /^([ \t]*[\w-]+:)[^\s:"'[{]\S*[ \t]*$/;

/**
 * The one change of its line that mends a mistake in YAML: quotes around a value, a blank after a colon, blanks for tabs.
 * Only what leaves fewer mistakes is one. Offsets are those of the text.
 */
export function yamlMend(text: string, problem: YamlProblem): TextEdit | undefined {
  if (text.length > longestText || /unresolved alias/i.test(problem.message)) return undefined;
  const start = Math.max(text.lastIndexOf("\n", problem.offset - 1), text.lastIndexOf("\r", problem.offset - 1)) + 1;
  const line = /^[^\r\n]*/.exec(text.slice(start))?.[0] ?? "";
  const before = readYamlMap(text).problems.length;
  const helps = ({ start: from, end, text: mend }: TextEdit): boolean =>
    readYamlMap(text.slice(0, from) + mend + text.slice(end)).problems.length < before;
  return mends(line)
    .map((edit) => ({ start: edit.start + start, end: edit.end + start, text: edit.text }))
    .find(helps);
}

/** In offsets of the line. */
function mends(line: string): readonly TextEdit[] {
  const tabs = /^[ ]*\t[ \t]*/.exec(line)?.[0];
  if (tabs !== undefined) return [{ start: 0, end: tabs.length, text: tabs.replaceAll("\t", "  ") }];
  const colon = withoutBlank.exec(line)?.[1]?.length;
  if (colon !== undefined) return [{ start: colon, end: colon, text: " " }];
  const [, key = "", value = ""] = pair.exec(line) ?? [];
  return value === ""
    ? []
    : quotedValues(value).map((text) => ({ start: key.length, end: key.length + value.length, text }));
}

/** The value in quotes: as it stands there, or without those that do not fit. */
function quotedValues(value: string): readonly string[] {
  const [, quote = "", inner = "", closing = ""] = /^(["']?)(.*?)(\1)$/s.exec(value) ?? [];
  if (quote === "") return /^(["'])/.test(value) ? [value + value.charAt(0)] : [JSON.stringify(value)];
  return closing !== "" && inner.includes("\\") && !inner.includes("'") ? [`'${inner}'`] : [JSON.stringify(inner)];
}

import { type LocatedJson, readLocatedJson } from "@mdx-ai/base/json";
import type { Code } from "mdast";
import type { Report } from "../report.ts";
import { lineStartAt, type SourceText } from "../source-text.ts";
import type { TextEdit } from "../types/diagnostic.ts";
import type { ToolCode } from "../types/tool-definition.ts";
import { linesOf, type TextLine } from "./lines.ts";
import { endOf, startOf } from "./syntax-tree.ts";

/** A code block with the mapping from its text to the document. */
export interface ReadCode {
  readonly code: ToolCode;
  /** The document's offset of an offset of the code. */
  offsetOf(codeOffset: number): number;
}

/**
 * Reads the text of a fenced code block with the same number of columns removed from every line. Markdown removes fewer from
 * a line that is indented less than its fence; then the smallest number is removed everywhere.
 */
export function readCode(node: Code, source: SourceText): ReadCode {
  const lines = blockLines(source.text, startOf(node), endOf(node)).slice(1);
  const values = node.value === "" ? [] : node.value.split(/\r\n?|\n/);
  const taken = values.map((value, index) => takenFrom(lines[index]?.text ?? "", value));
  const [least, most] = extremes(taken.filter((_, index) => values[index]?.trim() !== ""));
  const isBlank = lines
    .slice(0, taken.length)
    .every(({ text }, index) => text.slice(least, taken[index]).trim() === "");
  const indent = isBlank ? least : most;
  const texts = isBlank && least < most ? values.map((_, index) => lines[index]?.text.slice(indent) ?? "") : values;
  const lineStart = (line: number): number => lines[line]?.start ?? endOf(node);
  const first = source.pointAt(lineStart(0));
  return {
    code: { text: texts.join("\n"), position: { line: first.line, column: indent + 1 }, indent },
    offsetOf: (codeOffset) => {
      const before = texts.join("\n").slice(0, codeOffset).split("\n");
      return lineStart(before.length - 1) + indent + (before.at(-1)?.length ?? 0);
    },
  };
}

function takenFrom(line: string, value: string): number {
  return line.endsWith(value) ? line.length - value.length : line.length - line.trimStart().length;
}

/** The least and the greatest, without spreading thousands of arguments. */
function extremes(numbers: readonly number[]): readonly [number, number] {
  let least = numbers[0] ?? 0;
  let most = least;
  for (const number of numbers) {
    least = Math.min(least, number);
    most = Math.max(most, number);
  }
  return [least, most];
}

/** The lines of the block, the first from its beginning on. */
function blockLines(text: string, start: number, end: number): readonly TextLine[] {
  return [...linesOf(text.slice(0, end), lineStartAt(text, start))];
}

/** The fix that replaces the info string of a code block. */
export function withInfo(node: Code, info: string, { text }: SourceText): { readonly fix?: TextEdit } {
  const [line = "", fence = ""] = /^(`{3,}|~{3,})[^\r\n]*/.exec(text.slice(startOf(node), startOf(node) + 1_000)) ?? [];
  const start = startOf(node) + fence.length;
  return fence === "" ? {} : { fix: { start, end: startOf(node) + line.length, text: info } };
}

/** Where a block of JSON is, and how mistakes in it are reported. */
export interface JsonBlockReading {
  readonly source: SourceText;
  readonly report: Report;
  /** That of a text that is no JSON. */
  readonly rule: "example-json" | "schema-json";
}

/** Reads the JSON of a code block; undefined, and reported, if it is none. Offsets that `read` reports are those in the JSON. */
export function readJsonBlock<Result>(
  block: Code,
  { source, report, rule }: JsonBlockReading,
  read: (json: LocatedJson, report: Report) => Result,
): Result | undefined {
  const { code, offsetOf } = readCode(block, source);
  const json = readLocatedJson(code.text);
  if (!("message" in json)) return read(json, (problem) => report({ ...problem, offset: offsetOf(problem.offset) }));
  const hint = "JSON needs double quotes around keys and strings, and allows no comments and no trailing commas";
  report({ rule, offset: offsetOf(json.offset), message: json.message, hint });
  return undefined;
}

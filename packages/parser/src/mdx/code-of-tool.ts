import type { Code } from "mdast";
import { quoted, type Report } from "../report.ts";
import type { SourceText } from "../source-text.ts";
import type { ToolSource } from "../tool-source.ts";
import type { ToolCode } from "../types/tool-definition.ts";
import type { Attribute } from "./attributes.ts";
import { checkCode } from "./check-code.ts";
import { withInfo } from "./fence-info.ts";
import { startOf } from "./syntax-tree.ts";
import { readCode } from "./tool-code.ts";
import { readSrc } from "./tool-src.ts";

/** Where a tool's code may be. */
interface CodePlaces {
  /** All code blocks of the tool but that of its schema. */
  readonly codes: readonly Code[];
  /** Its `src`. */
  readonly src: Attribute | undefined;
}

interface Surroundings {
  /** Of the tool. */
  readonly offset: number;
  readonly source: SourceText;
  readonly report: Report;
}

/** The code of a tool; that of a file is empty, and `wanted` names the file. Both are absent if there is no code. */
export interface CodeOfTool {
  readonly code?: ToolCode;
  readonly wanted?: ToolSource;
}

/** Reads the code of a tool, from its code block or as its `src` says, and reports what is wrong with it. */
export function readCodeOfTool({ codes, src }: CodePlaces, surroundings: Surroundings): CodeOfTool {
  if (src === undefined) {
    const code = blockOf(codes, surroundings);
    return code === undefined ? {} : { code };
  }
  const [block] = codes;
  if (block !== undefined) reportBoth(src, block, surroundings);
  const path = readSrc(src, surroundings.report);
  if (path === undefined) return {};
  const code = { file: path, text: "", position: { line: 1, column: 1 }, indent: 0 };
  return { code, wanted: { path, ...surroundings.source.pointAt(src.offset) } };
}

function reportBoth(src: Attribute, block: Code, { source, report }: Surroundings): void {
  const { line } = source.pointAt(startOf(block));
  report({
    rule: "tool-source",
    offset: src.offset,
    message: "both `src` and a code block, expected one of the two",
    hint: `remove \`src\` or the code block in line ${line}`,
  });
  report({
    rule: "tool-source",
    offset: startOf(block),
    message: `both a code block and \`src\` of ${quoted(String(src.value))}, expected one of the two`,
    hint: `remove the block or \`src\` in line ${source.pointAt(src.offset).line}`,
  });
}

function blockOf(codes: readonly Code[], { offset, source, report }: Surroundings): ToolCode | undefined {
  const [node, second] = codes.filter((candidate) => isTypeScript(candidate));
  if (node === undefined) {
    reportMissing(codes[0], { offset, source, report });
    return undefined;
  }
  if (second !== undefined) {
    const message = "second TypeScript code block, expected one in each `<Tool>`";
    report({ rule: "tool-code-duplicate", offset: startOf(second), message, hint: "merge the two blocks" });
  }
  const { code, offsetOf } = readCode(node, source);
  for (const { rule, offset: place, message, hint } of checkCode(code.text, "ts")) {
    report({ rule, offset: rule === "tool-execute" ? startOf(node) : offsetOf(place), message, hint });
  }
  return code;
}

function isTypeScript(node: Code): boolean {
  return /^(?:ts|typescript)$/i.test(node.lang ?? "");
}

function reportMissing(other: Code | undefined, { offset, source, report }: Surroundings): void {
  const expected = "expected a code block that starts with ```ts";
  report({
    rule: "tool-code",
    offset: other === undefined ? offset : startOf(other),
    message:
      other === undefined
        ? "`<Tool>` has no code"
        : `unexpected code block of language ${quoted(other.lang ?? "")}, ${expected}`,
    hint: "write a code block that starts with ```ts and defines `execute` before `</Tool>`, or name a file with `src`",
    ...(other !== undefined && isCode(other) ? withInfo(other, "ts", source) : {}),
  });
}

/** Whether a block of JavaScript, or of no language, is valid code of a tool. */
function isCode({ lang, value }: Code): boolean {
  return /^(?:|js|mjs|javascript|mts)$/i.test(lang ?? "") && checkCode(value, "ts").length === 0;
}

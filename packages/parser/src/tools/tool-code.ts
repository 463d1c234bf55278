import type { Code } from "mdast";
import { plainPath, SOURCE_ENDINGS } from "../agent-files.ts";
import { readCode, withInfo } from "../markdown/code-block.ts";
import { startOf } from "../markdown/syntax-tree.ts";
import { quoted, type Report } from "../report.ts";
import type { SourceText } from "../source-text.ts";
import type { ToolCode, ToolSource } from "../types/tool-definition.ts";
import type { Attribute } from "./attributes.ts";
import { checkCode } from "./tool-code-check.ts";

interface CodeContext {
  /** Of the tool. */
  readonly offset: number;
  readonly source: SourceText;
  readonly report: Report;
}

/** The code of a tool; that of a file is empty, and `wanted` names the file. Both are absent if there is no code. */
export interface CodeOfTool {
  readonly code?: ToolCode;
  readonly wanted?: ToolSource;
  /** The document's offset of an offset of the code; only of a code block. */
  readonly offsetOf?: (codeOffset: number) => number;
}

/** Reads the code of a tool, from its code block (`codes` are all but that of its schema) or from the file that `src` names, and reports its mistakes. */
export function readCodeOfTool(codes: readonly Code[], src: Attribute | undefined, context: CodeContext): CodeOfTool {
  if (src === undefined) return blockOf(codes, context);
  const [block] = codes;
  if (block !== undefined) reportBoth(src, block, context);
  const path = readSrc(src, context.report);
  if (path === undefined) return {};
  const code = { file: path, text: "", position: { line: 1, column: 1 }, indent: 0 };
  return { code, wanted: { path, ...context.source.pointAt(src.offset) } };
}

function reportBoth(src: Attribute, block: Code, { source, report }: CodeContext): void {
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

function blockOf(codes: readonly Code[], { offset, source, report }: CodeContext): CodeOfTool {
  const [node, second] = codes.filter((candidate) => isTypeScript(candidate));
  if (node === undefined) {
    reportMissing(codes[0], { offset, source, report });
    return {};
  }
  if (second !== undefined) {
    const message = "second TypeScript code block, expected one in each `<Tool>`";
    report({ rule: "tool-code-duplicate", offset: startOf(second), message, hint: "merge the two blocks" });
  }
  const { code, offsetOf } = readCode(node, source);
  for (const { rule, offset: codeOffset, message, hint } of checkCode(code.text, "ts")) {
    report({ rule, offset: rule === "tool-execute" ? startOf(node) : offsetOf(codeOffset), message, hint });
  }
  return { code, offsetOf };
}

function isTypeScript(node: Code): boolean {
  return /^(?:ts|typescript)$/i.test(node.lang ?? "");
}

function reportMissing(other: Code | undefined, { offset, source, report }: CodeContext): void {
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

const example = "`./tools/weather.ts`";

/** Reads `src`: the path of a file within the agent directory, without `.` and `..`. Any other value is reported. */
function readSrc(attribute: Attribute | undefined, report: Report): string | undefined {
  if (attribute === undefined) return undefined;
  const written = typeof attribute.value === "string" ? attribute.value : "";
  const path = plainPath(written);
  const hint = pathProblem(written, path);
  if (hint === undefined) return path;
  report({
    rule: "tool-source",
    offset: attribute.offset,
    message: `unexpected ${quoted(String(attribute.value))} as \`src\`, expected the path of a file such as ${example}`,
    hint,
  });
  return undefined;
}

function pathProblem(written: string, path: string | undefined): string | undefined {
  if (written.trim() === "" || /\p{Cc}/u.test(written)) return `write \`src=${example.replaceAll("`", '"')}\``;
  if (written.includes("\\")) return `write the path with \`/\`, as in ${example}`;
  if (/^[a-z][a-z0-9+.-]*:/i.test(written))
    return "copy the file into the agent directory: code is only loaded from there";
  if (written.startsWith("/") || written.startsWith("~")) return "write the path relative to agent.mdx";
  if (path === undefined) return "copy the file into the agent directory: code is only loaded from there";
  if (written.endsWith("/") || !SOURCE_ENDINGS.test(path) || /\.d\.[cm]?ts$/i.test(path)) {
    return "name a TypeScript or JavaScript file, which ends in `.ts`, `.tsx`, `.mts`, `.js`, `.jsx` or `.mjs`";
  }
  return undefined;
}

import type { Code } from "mdast";
import type { Report } from "../report.ts";
import type { SourceText } from "../source-text.ts";
import type { ToolDefinition } from "../types/tool-definition.ts";
import { readParameters } from "./parameter/parameter.ts";
import { type JsxElement, startOf } from "./syntax-tree.ts";
import { withInfo } from "./tool-code.ts";

/** The parts of a `<Tool>` that declare its parameters. */
export interface ParameterContent {
  readonly parameters: readonly JsxElement[];
  /** All code blocks of the tool. */
  readonly codes: readonly Code[];
}

/** Whether a code block is a ```` ```json schema ```` block. */
export function isSchemaBlock({ lang, meta }: Code): boolean {
  return /^json$/i.test(lang ?? "") && /^\s*schema\s*$/i.test(meta ?? "");
}

/** Reads what a tool takes: its `<Param>` elements, or the one block of JSON Schema that says all of it. */
export async function readToolParameters(
  { parameters: elements, codes }: ParameterContent,
  source: SourceText,
  report: Report,
): Promise<Pick<ToolDefinition, "parameters" | "schema">> {
  const [block, second] = codes.filter(isSchemaBlock);
  for (const code of codes) if (isLikeSchema(code)) reportFence(code, source, report);
  const parameters = readParameters(elements, { source, report });
  if (block === undefined) return { parameters };
  if (second !== undefined) {
    const message = "second `json schema` block, expected one in each `<Tool>`";
    report({ rule: "schema-duplicate", offset: startOf(second), message, hint: "merge the two" });
  }
  const [param] = elements;
  if (param !== undefined) {
    const message = "both `<Param>` and a `json schema` block, expected one of the two";
    const hint = "move it to the block, or remove the block";
    report({ rule: "schema-beside-param", offset: startOf(param), message, hint });
  }
  const { readSchemaBlock } = await import("./schema/schema-block.ts");
  const schema = readSchemaBlock(block, source, report);
  return schema === undefined || parameters.length > 0 ? { parameters } : { parameters: [], schema };
}

function isLikeSchema(code: Code): boolean {
  if (isSchemaBlock(code)) return false;
  const fence = `${code.lang ?? ""} ${code.meta ?? ""}`;
  return /^(?:json[\s:_-]?schema|schema(?:[\s.]json)?|jsonc\s+schema)\s*$/i.test(fence.trim());
}

function reportFence(code: Code, source: SourceText, report: Report): void {
  const message = `unexpected code block of language \`${code.lang}\`, expected \`\`\`json schema`;
  const fix = withInfo(code, "json schema", source);
  report({ rule: "schema-fence", offset: startOf(code), message, hint: "begin the block with ```json schema", ...fix });
}

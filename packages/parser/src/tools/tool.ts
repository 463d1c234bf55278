import { defined, didYouMean, isVisible } from "@mdx-ai/base";
import type { Code, Nodes } from "mdast";
import { isStray } from "../elements/document-parts.ts";
import { withInfo } from "../markdown/code-block.ts";
import { innerParams, isJsx, type JsxElement, nodesWithin, startOf } from "../markdown/syntax-tree.ts";
import { quoted, type Report } from "../report.ts";
import type { SourceText } from "../source-text.ts";
import type { ToolDefinition, ToolExample, ToolSource } from "../types/tool-definition.ts";
import { type Attributes, type AttributeTable, readAttributes } from "./attributes.ts";
import type { ExampleContext } from "./example/example.ts";
import { readParameters } from "./parameter/parameter.ts";
import { parametersSchema } from "./parameters-schema.ts";
import { readCodeOfTool } from "./tool-code.ts";
import { limitAttributes, readToolLimits } from "./tool-limits.ts";
import { type ReadVariable, undeclaredVariables, variableProblem } from "./tool-variables.ts";

/** The attributes of a `<Tool>`. */
const toolAttributes: AttributeTable = { ...{ name: {}, description: {}, src: {} }, ...limitAttributes };

/** A tool as far as it could be read. */
export interface ReadTool {
  /** Absent if it has no name. */
  readonly name?: string;
  readonly nameOffset: number;
  /** Absent if it has no name or no code, so that it could not be run. */
  readonly definition?: ToolDefinition;
  /** The file of its code, if it is not agent.mdx. */
  readonly wanted?: ToolSource;
}

/** Reads one `<Tool>` and reports its mistakes. */
export async function readTool(element: JsxElement, source: SourceText, report: Report): Promise<ReadTool> {
  const attributes = readAttributes(element, toolAttributes, report);
  const offset = startOf(element);
  const name = visibleName(requiredText("name", attributes, { element, report }), attributes, report);
  const description = requiredText("description", attributes, { element, report }) ?? "";
  const limits = readToolLimits(attributes, report);
  const content = toolContent(element, report);
  const takes = await readToolParameters(content, source, report);
  const codes = content.codes.filter((block) => !isSchemaBlock(block));
  const { code, wanted, offsetOf } = readCodeOfTool(codes, attributes.get("src"), { offset, source, report });
  if (code !== undefined && offsetOf !== undefined)
    reportVariables(undeclaredVariables(code, limits.environment), {
      attributes,
      declared: limits.environment,
      offsetOf,
      report,
    });
  const examples = await readExamples(content.examples, { schema: parametersSchema(takes), source, report });
  const nameOffset = attributes.get("name")?.offset ?? offset;
  if (name === undefined) return { nameOffset };
  if (code === undefined) return { name, nameOffset };
  const position = source.pointAt(offset);
  const definition = { name, description, ...takes, code, examples, ...limits, position };
  return { name, nameOffset, definition, ...defined({ wanted }) };
}

interface VariableContext {
  readonly attributes: Attributes;
  /** The variables that `env` names. */
  readonly declared: readonly string[];
  readonly offsetOf: (codeOffset: number) => number;
  readonly report: Report;
}

/** The first has the fix for all of them, since they change one attribute. */
function reportVariables(
  variables: readonly ReadVariable[],
  { attributes, declared, offsetOf, report }: VariableContext,
): void {
  const env = attributes.get("env");
  const text = `env="${[...declared, ...variables.map(({ name }) => name)].join(",")}"`;
  const last = Math.max(0, ...[...attributes.values()].map(({ end }) => end));
  const fix =
    env === undefined ? { start: last, end: last, text: ` ${text}` } : { start: env.offset, end: env.end, text };
  for (const [index, { name, offset }] of variables.entries()) {
    const problem = { ...variableProblem(name, declared), offset: offsetOf(offset) };
    report(index === 0 && last > 0 ? { ...problem, fix } : problem);
  }
}

interface ToolContent {
  readonly parameters: readonly JsxElement[];
  readonly codes: readonly Code[];
  readonly examples: readonly JsxElement[];
}

function toolContent(tool: JsxElement, report: Report): ToolContent {
  const codes: Code[] = [];
  const examples: JsxElement[] = [];
  let stray: Nodes | undefined;
  for (const node of nodesWithin(tool, ["Example"])) {
    if (isJsx(node) && node.name === "Example") examples.push(node);
    else if (node.type === "code") codes.push(node);
    else if (isJsx(node) && node.name === "Tool") reportNested(node, report);
    else if (isStray(node) && !(isJsx(node) && node.name === "Param")) stray ??= node;
  }
  if (stray !== undefined) reportStray(stray, report);
  return { parameters: innerParams(tool), codes, examples };
}

function reportStray(stray: Nodes, report: Report): void {
  const hint = "move what the model should read to `description`, and other text out of the tool";
  const [, blanks = "", name = ""] = (stray.type === "html" && /^(\s*)<?([A-Za-z]*)/.exec(stray.value)) || [];
  report({
    rule: "tool-content",
    offset: startOf(stray) + blanks.length,
    message: "unexpected text within `<Tool>`, expected `<Param>` and `<Example>` elements and a code block",
    hint: didYouMean(isJsx(stray) ? (stray.name ?? "") : name, ["Param", "Example"], hint),
  });
}

function reportNested(tool: JsxElement, report: Report): void {
  const message = "`<Tool>` within a `<Tool>`";
  report({
    rule: "tool-nested",
    offset: startOf(tool),
    message,
    hint: "close the first tool with `</Tool>` before this one",
  });
}

function requiredText(
  name: "name" | "description",
  attributes: Attributes,
  { element, report }: { readonly element: JsxElement; readonly report: Report },
): string | undefined {
  const attribute = attributes.get(name);
  if (typeof attribute?.value === "string" && attribute.value.trim() !== "") return attribute.value;
  // One that could not be read is reported already.
  if (attribute === undefined && element.attributes.some((other) => "name" in other && other.name === name))
    return undefined;
  report({
    rule: name === "name" ? "tool-name" : "tool-description",
    offset: attribute?.offset ?? startOf(element),
    message: `\`<Tool>\` has no ${name}`,
    hint: `write \`<Tool name="…" description="…">\``,
  });
  return undefined;
}

/** Undefined for a name that looks like another, such as that of a builtin tool. */
function visibleName(name: string | undefined, attributes: Attributes, report: Report): string | undefined {
  if (name === undefined || (isVisible(name) && name.trim() === name)) return name;
  report({
    rule: "tool-name",
    offset: attributes.get("name")?.offset ?? 0,
    message: `the tool name ${quoted(name)} contains invisible characters`,
    hint: "retype the name, without blanks around it",
  });
  return undefined;
}

/** The examples that can be run. Their reader is loaded only for files that have some. */
async function readExamples(elements: readonly JsxElement[], context: ExampleContext): Promise<readonly ToolExample[]> {
  if (elements.length === 0) return [];
  const { readExample } = await import("./example/example.ts");
  const names = new Set<string>();
  return elements.flatMap((element) => {
    const example = readExample(element, context);
    if (example?.name !== undefined && names.has(example.name)) reportTwin(element, example.name, context.report);
    names.add(example?.name ?? "");
    return example ?? [];
  });
}

function reportTwin(element: JsxElement, name: string, report: Report): void {
  const message = `second example named ${quoted(name)}`;
  report({ rule: "example-name-duplicate", offset: startOf(element), message, hint: "rename one of the two" });
}

/** Whether a code block is a ```` ```json schema ```` block. */
function isSchemaBlock({ lang, meta }: Code): boolean {
  return /^json$/i.test(lang ?? "") && /^\s*schema\s*$/i.test(meta ?? "");
}

/** Reads what a tool takes: its `<Param>` elements, or the one block of JSON Schema that says all of it. */
async function readToolParameters(
  { parameters: elements, codes }: ToolContent,
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

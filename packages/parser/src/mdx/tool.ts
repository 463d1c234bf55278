import type { Code, Nodes } from "mdast";
import { parametersSchema } from "../parameters-schema.ts";
import { quoted, type Report } from "../report.ts";
import type { SourceText } from "../source-text.ts";
import { didYouMean } from "../suggestion.ts";
import type { ToolCode, ToolDefinition } from "../types/tool-definition.ts";
import type { ToolExample } from "../types/tool-example.ts";
import { type Attribute, type Attributes, readAttributes } from "./attributes.ts";
import { checkCode } from "./check-code.ts";
import type { ExampleSurroundings } from "./example/example.ts";
import { innerParams } from "./parameter/members.ts";
import { isStray } from "./stray-content.ts";
import { childrenOf, isJsx, type JsxElement, startOf } from "./syntax-tree.ts";
import { readCode } from "./tool-code.ts";
import { isSchemaBlock, readToolParameters } from "./tool-parameters.ts";

const attributeNames = ["name", "description", "env", "timeout"] as const;
const longestTimeout = 2_147_483;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A tool as far as it could be read. */
export interface ReadTool {
  /** Absent where it has no name. */
  readonly name?: string;
  readonly nameOffset: number;
  /** Absent where it has no name or no code block, so that it could not be run. */
  readonly definition?: ToolDefinition;
}

/** Reads one `<Tool>` and reports what is wrong with it. */
export async function readTool(element: JsxElement, source: SourceText, report: Report): Promise<ReadTool> {
  const attributes = readAttributes(element, attributeNames, report);
  const offset = startOf(element);
  const name = requiredText("name", attributes, { offset, report });
  const description = requiredText("description", attributes, { offset, report }) ?? "";
  const environment = environmentOf(attributes.get("env"), report);
  const timeout = timeoutOf(attributes.get("timeout"), report);
  const content = toolContent(element, report);
  const takes = await readToolParameters(content, source, report);
  const code = codeOf(
    content.codes.filter((block) => !isSchemaBlock(block)),
    { offset, source, report },
  );
  const examples = await readExamples(content.examples, { schema: parametersSchema(takes), source, report });
  const nameOffset = attributes.get("name")?.offset ?? offset;
  if (name === undefined) return { nameOffset };
  if (code === undefined) return { name, nameOffset };
  const position = source.pointAt(offset);
  const definition = { name, description, ...takes, code, examples, environment, position };
  return { name, nameOffset, definition: timeout === undefined ? definition : { ...definition, timeout } };
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
  const waiting: Nodes[] = [...tool.children].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isJsx(node) && node.name === "Example") {
      examples.push(node);
      continue;
    }
    if (node.type === "code") codes.push(node);
    else if (isJsx(node) && node.name === "Tool") reportNested(node, report);
    else if (isStray(node) && !(isJsx(node) && node.name === "Param")) stray ??= node;
    waiting.push(...[...childrenOf(node)].reverse());
  }
  if (stray !== undefined) reportStray(stray, report);
  return { parameters: innerParams(tool), codes, examples };
}

function reportStray(stray: Nodes, report: Report): void {
  const hint = "put what a model should read into `description`, other text outside the tool";
  report({
    rule: "tool-content",
    offset: startOf(stray),
    message: "unexpected text within `<Tool>`, expected `<Param>` and `<Example>` elements and a code block",
    hint: isJsx(stray) ? didYouMean(stray.name ?? "", ["Param", "Example"], hint) : hint,
  });
}

function reportNested(tool: JsxElement, report: Report): void {
  const message = "unexpected `<Tool>` within a `<Tool>`, expected `</Tool>` before it";
  report({ rule: "tool-nested", offset: startOf(tool), message, hint: "put the tools one after the other" });
}

function requiredText(
  name: "name" | "description",
  attributes: Attributes,
  at: { readonly offset: number; readonly report: Report },
): string | undefined {
  const attribute = attributes.get(name);
  if (typeof attribute?.value === "string" && attribute.value.trim() !== "") return attribute.value;
  at.report({
    rule: name === "name" ? "tool-name" : "tool-description",
    offset: attribute?.offset ?? at.offset,
    message: `unexpected \`<Tool>\` without a ${name}, expected \`${name}\` with a text`,
    hint: `write \`<Tool name="…" description="…">\``,
  });
  return undefined;
}

function environmentOf(attribute: Attribute | undefined, report: Report): readonly string[] {
  if (attribute === undefined) return [];
  const names =
    typeof attribute.value === "string" ? attribute.value.split(/[,\s]+/).filter((name) => name !== "") : [];
  const wrong = names.find((name) => !variableName.test(name));
  if (wrong === undefined && names.length > 0) return [...new Set(names)];
  const message = `unexpected ${quoted(wrong ?? String(attribute.value))} as \`env\`, expected names of environment variables`;
  report({ rule: "tool-environment", offset: attribute.offset, message, hint: 'write `env="FIRST_NAME,SECOND_NAME"`' });
  return names.filter((name) => variableName.test(name));
}

function timeoutOf(attribute: Attribute | undefined, report: Report): number | undefined {
  if (attribute === undefined) return undefined;
  const { value } = attribute;
  const seconds = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof seconds === "number" && seconds > 0 && seconds <= longestTimeout) return seconds;
  const message = `unexpected ${quoted(String(value))} as \`timeout\`, expected a number of seconds above 0`;
  report({ rule: "tool-timeout", offset: attribute.offset, message, hint: 'write `timeout="30"`' });
  return undefined;
}

/** Those that can be run. What reads them is loaded for the files that have some. */
async function readExamples(
  elements: readonly JsxElement[],
  surroundings: ExampleSurroundings,
): Promise<readonly ToolExample[]> {
  if (elements.length === 0) return [];
  const { readExample } = await import("./example/example.ts");
  const names = new Set<string>();
  return elements.flatMap((element) => {
    const example = readExample(element, surroundings);
    if (example?.name !== undefined && names.has(example.name)) reportTwin(element, example.name, surroundings.report);
    names.add(example?.name ?? "");
    return example ?? [];
  });
}

function reportTwin(element: JsxElement, name: string, report: Report): void {
  const message = `unexpected second example ${quoted(name)}, expected each name once in a \`<Tool>\``;
  report({ rule: "example-name-duplicate", offset: startOf(element), message, hint: "rename one of the two" });
}

interface CodePlace {
  readonly offset: number;
  readonly source: SourceText;
  readonly report: Report;
}

function codeOf(codes: readonly Code[], place: CodePlace): ToolCode | undefined {
  const [node, second] = codes.filter((candidate) => isTypeScript(candidate));
  if (node === undefined) {
    reportMissingCode(codes[0], place);
    return undefined;
  }
  if (second !== undefined) {
    const message = "unexpected second TypeScript code block, expected one in each `<Tool>`";
    place.report({ rule: "tool-code-duplicate", offset: startOf(second), message, hint: "join the two blocks" });
  }
  const { code, offsetOf } = readCode(node, place.source);
  for (const { rule, offset, message, hint } of checkCode(code.text)) {
    const at = rule === "tool-execute" ? startOf(node) : offsetOf(offset);
    place.report({ rule, offset: at, message, hint });
  }
  return code;
}

function isTypeScript(node: Code): boolean {
  return /^(?:ts|typescript)$/i.test(node.lang ?? "");
}

function reportMissingCode(other: Code | undefined, place: CodePlace): void {
  const seen =
    other === undefined ? "`<Tool>` without a code block" : `code block of language ${quoted(other.lang ?? "")}`;
  place.report({
    rule: "tool-code",
    offset: other === undefined ? place.offset : startOf(other),
    message: `unexpected ${seen}, expected a code block that starts with \`\`\`ts`,
    hint: "write a fenced block of TypeScript with a function `execute` before `</Tool>`",
  });
}

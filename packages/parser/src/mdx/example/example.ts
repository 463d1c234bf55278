import type { Code, Nodes } from "mdast";
import { quoted, type Report } from "../../report.ts";
import type { SourceText } from "../../source-text.ts";
import type { JsonSchema } from "../../types/json.ts";
import type { ToolExample } from "../../types/tool-definition.ts";
import { type Attribute, readAttributes, readTruth } from "../attributes.ts";
import { isStray } from "../document-parts.ts";
import { readLocatedJson } from "../located-json.ts";
import { childrenOf, type JsxElement, startOf } from "../syntax-tree.ts";
import { readCode } from "../tool-code.ts";
import { readCall } from "./example-call.ts";

const attributeNames = ["name", "few-shot"] as const;
const form = '{"arguments": {…}, "result": "…"}';

/** What an example is read against. */
export interface ExampleSurroundings {
  /** Of the arguments. */
  readonly schema: JsonSchema;
  readonly source: SourceText;
  readonly report: Report;
}

/** Reads one `<Example>` and reports its mistakes; undefined if its call could not run. */
export function readExample(element: JsxElement, surroundings: ExampleSurroundings): ToolExample | undefined {
  const { source, report } = surroundings;
  const attributes = readAttributes(element, attributeNames, report);
  const name = nameOf(attributes.get("name"), report);
  const hint = "write `<Example few-shot>` to show the example to the model";
  const fewShot = readTruth("few-shot", attributes, { rule: "example-few-shot", hint, report }) ?? false;
  const code = jsonBlock(element, report);
  const call = code === undefined ? undefined : readBlock(code, surroundings);
  if (call === undefined) return undefined;
  return { ...(name === undefined ? {} : { name }), ...call, fewShot, position: source.pointAt(startOf(element)) };
}

function nameOf(attribute: Attribute | undefined, report: Report): string | undefined {
  if (attribute === undefined) return undefined;
  if (typeof attribute.value === "string" && attribute.value.trim() !== "") return attribute.value;
  const message = `unexpected ${quoted(String(attribute.value))} as the name of an \`<Example>\`, expected a string`;
  report({ rule: "example-name", offset: attribute.offset, message, hint: 'write `name="…"`, or leave it out' });
  return undefined;
}

/** The one JSON block; any other content is reported. */
function jsonBlock(element: JsxElement, report: Report): Code | undefined {
  const { codes, stray } = contentOf(element);
  if (stray !== undefined) {
    const message = "unexpected text within `<Example>`, expected only a JSON block";
    report({
      rule: "example-content",
      offset: startOf(stray),
      message,
      hint: "describe the example in `name`",
    });
  }
  const block = codes.find(({ lang }) => /^json$/i.test(lang ?? ""));
  const other = codes.find((code) => code !== block);
  if (block === undefined) {
    const message =
      other === undefined
        ? "`<Example>` has no code block"
        : `unexpected code block of language ${quoted(other.lang ?? "")}, expected a code block that starts with \`\`\`json`;
    const hint = `write a JSON code block such as \`${form}\` before \`</Example>\``;
    report({ rule: "example-code", offset: startOf(other ?? element), message, hint });
  } else if (other !== undefined) {
    const message = "second code block, expected one in each `<Example>`";
    report({
      rule: "example-code-duplicate",
      offset: startOf(other),
      message,
      hint: "write another `<Example>` for it",
    });
  }
  return block;
}

function contentOf(element: JsxElement): { readonly codes: readonly Code[]; readonly stray: Nodes | undefined } {
  const codes: Code[] = [];
  let stray: Nodes | undefined;
  const waiting: Nodes[] = [...element.children].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === "code") codes.push(node);
    else if (isStray(node)) stray ??= node;
    waiting.push(...[...childrenOf(node)].reverse());
  }
  return { codes, stray };
}

function readBlock(
  block: Code,
  { schema, source, report }: ExampleSurroundings,
): Pick<ToolExample, "arguments" | "expected"> | undefined {
  const { code, offsetOf } = readCode(block, source);
  const json = readLocatedJson(code.text);
  if ("message" in json) {
    const hint = "JSON needs double quotes around keys and strings, and allows no comments and no trailing commas";
    report({ rule: "example-json", offset: offsetOf(json.offset), message: json.message, hint });
    return undefined;
  }
  return readCall(json, schema, (problem) => report({ ...problem, offset: offsetOf(problem.offset) }));
}

import type { Code, Nodes } from "mdast";
import { quoted, type Report } from "../../report.ts";
import type { SourceText } from "../../source-text.ts";
import type { JsonSchema } from "../../types/json.ts";
import type { ToolExample } from "../../types/tool-definition.ts";
import { type Attribute, readAttributes, readTruth } from "../attributes.ts";
import { isStray } from "../document-parts.ts";
import { type LocatedJson, readLocatedJson } from "../located-json.ts";
import { childrenOf, type JsxElement, startOf } from "../syntax-tree.ts";
import { readCode } from "../tool-code.ts";
import { readCall } from "./example-call.ts";
import { readClock } from "./example-clock.ts";
import { readFetchBlock } from "./example-fetch.ts";

const attributeNames = ["name", "few-shot", "now"] as const;
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
  const now = readClock(attributes.get("now"), report);
  const { call: code, fetch: fetchCode } = blocksOf(element, report);
  const schema = surroundings.schema;
  const call = code && readBlock(code, surroundings, (json, located) => readCall(json, schema, located));
  const answers = fetchCode && readBlock(fetchCode, surroundings, readFetchBlock);
  if (call === undefined) return undefined;
  return {
    ...(name === undefined ? {} : { name }),
    ...call,
    fewShot,
    ...(answers === undefined ? {} : { fetch: answers }),
    ...(now === undefined ? {} : { now }),
    position: source.pointAt(startOf(element)),
  };
}

function nameOf(attribute: Attribute | undefined, report: Report): string | undefined {
  if (attribute === undefined) return undefined;
  if (typeof attribute.value === "string" && attribute.value.trim() !== "") return attribute.value;
  const message = `unexpected ${quoted(String(attribute.value))} as the name of an \`<Example>\`, expected a string`;
  report({ rule: "example-name", offset: attribute.offset, message, hint: 'write `name="…"`, or leave it out' });
  return undefined;
}

/** The blocks of an example, as far as it has them. */
interface ExampleBlocks {
  readonly call: Code | undefined;
  readonly fetch: Code | undefined;
}

const isJson = ({ lang }: Code): boolean => /^json$/i.test(lang ?? "");
const isFetch = (code: Code): boolean => isJson(code) && /^\s*fetch\s*$/i.test(code.meta ?? "");

/** The block with the call and the one with answers to `fetch`; any other content is reported. */
function blocksOf(element: JsxElement, report: Report): ExampleBlocks {
  const { codes, stray } = contentOf(element);
  if (stray !== undefined) {
    const message = "unexpected text within `<Example>`, expected only blocks of JSON";
    report({
      rule: "example-content",
      offset: startOf(stray),
      message,
      hint: "describe the example in `name`",
    });
  }
  const fetch = codes.find(isFetch);
  const call = codes.find((code) => isJson(code) && !isFetch(code));
  const other = codes.find((code) => code !== call && code !== fetch);
  if (call === undefined) reportNoCall(element, other, report);
  else if (other !== undefined) reportSecond(other, report);
  return { call, fetch };
}

function reportNoCall(element: JsxElement, other: Code | undefined, report: Report): void {
  const message =
    other === undefined || isFetch(other)
      ? "`<Example>` has no code block with its call"
      : `unexpected code block of language ${quoted(other.lang ?? "")}, expected a code block that starts with \`\`\`json`;
  const hint = `write a JSON code block such as \`${form}\` before \`</Example>\``;
  report({ rule: "example-code", offset: startOf(other ?? element), message, hint });
}

function reportSecond(other: Code, report: Report): void {
  const what = isFetch(other) ? "`json fetch` block" : "code block";
  const message = `second ${what}, expected one in each \`<Example>\``;
  const hint = isFetch(other)
    ? "merge the two"
    : "write another `<Example>` for another call; a block of answers to `fetch` starts with ```json fetch";
  report({ rule: "example-code-duplicate", offset: startOf(other), message, hint });
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

/** Reads the JSON of a block; positions that `read` reports are those in the JSON. */
function readBlock<Result>(
  block: Code,
  { source, report }: ExampleSurroundings,
  read: (json: LocatedJson, report: Report) => Result,
): Result | undefined {
  const { code, offsetOf } = readCode(block, source);
  const json = readLocatedJson(code.text);
  if ("message" in json) {
    const hint = "JSON needs double quotes around keys and strings, and allows no comments and no trailing commas";
    report({ rule: "example-json", offset: offsetOf(json.offset), message: json.message, hint });
    return undefined;
  }
  return read(json, (problem) => report({ ...problem, offset: offsetOf(problem.offset) }));
}

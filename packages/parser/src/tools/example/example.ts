import { defined, type JsonSchema } from "@mdx-ai/base";
import type { Code, Nodes } from "mdast";
import { isStray } from "../../elements/document-parts.ts";
import { readJsonBlock } from "../../markdown/code-block.ts";
import { type JsxElement, nodesWithin, startOf } from "../../markdown/syntax-tree.ts";
import { quoted, type Report } from "../../report.ts";
import type { SourceText } from "../../source-text.ts";
import type { ToolExample } from "../../types/tool-definition.ts";
import { type Attribute, type AttributeTable, readAttributes, truthAttribute, truthOf } from "../attributes.ts";
import { readCall } from "./example-call.ts";
import { readFetchBlock } from "./example-fetch.ts";

/** The attributes of an `<Example>`. */
const exampleAttributes: AttributeTable = {
  name: {},
  "few-shot": truthAttribute("example-few-shot", "write `<Example few-shot>` to show the example to the model"),
  now: {},
};

const form = '{"arguments": {…}, "result": "…"}';

/** What an example is read against. */
export interface ExampleContext {
  /** Of the arguments. */
  readonly schema: JsonSchema;
  readonly source: SourceText;
  readonly report: Report;
}

/** Reads one `<Example>` and reports its mistakes; undefined if its call could not run. */
export function readExample(element: JsxElement, { schema, source, report }: ExampleContext): ToolExample | undefined {
  const attributes = readAttributes(element, exampleAttributes, report);
  const name = nameOf(attributes.get("name"), report);
  const fewShot = truthOf(attributes.get("few-shot")?.value) ?? false;
  const now = readClock(attributes.get("now"), report);
  const { call: code, fetch: fetchCode } = blocksOf(element, report);
  const reading = { source, report, rule: "example-json" } as const;
  const call = code && readJsonBlock(code, reading, (json, located) => readCall(json, schema, located));
  const answers = fetchCode && readJsonBlock(fetchCode, reading, readFetchBlock);
  if (call === undefined) return undefined;
  return {
    ...defined({ name }),
    ...call,
    fewShot,
    ...defined({ fetch: answers, now }),
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

const isJson = ({ lang }: Code): boolean => /^json$/i.test(lang ?? "");
const isFetch = (code: Code): boolean => isJson(code) && /^\s*fetch\s*$/i.test(code.meta ?? "");

/** The block with the call and the one with answers to `fetch`; any other content is reported. */
function blocksOf(element: JsxElement, report: Report): Readonly<Record<"call" | "fetch", Code | undefined>> {
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
  for (const node of nodesWithin(element)) {
    if (node.type === "code") codes.push(node);
    else if (isStray(node)) stray ??= node;
  }
  return { codes, stray };
}

/** A date alone is midnight in UTC; a time without a zone would differ from machine to machine. */
const MOMENT = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** Reads the time that the tool of an example sees, in milliseconds since 1970; undefined if it is absent or wrong, which is reported. */
function readClock(attribute: Attribute | undefined, report: Report): number | undefined {
  if (attribute === undefined) return undefined;
  const text = String(attribute.value);
  const day = MOMENT.exec(text)?.[1];
  const moment = Date.parse(text);
  if (day !== undefined && isDay(day) && !Number.isNaN(moment)) return moment;
  const message = `unexpected ${quoted(text)} as \`now\`, expected a date and a time with its zone`;
  report({
    rule: "example-clock",
    offset: attribute.offset,
    message,
    hint: 'write `now="2026-01-02T03:04:05Z"`, or `+01:00` in place of `Z`',
  });
  return undefined;
}

/** Whether the calendar has it: `Date.parse` takes the 30th of February for the 2nd of March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

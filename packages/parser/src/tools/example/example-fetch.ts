import { didYouMean, isRecord, type JsonValue } from "@mdx-ai/base";
import { type JsonMember, jsonMembers, type LocatedJson } from "@mdx-ai/base/json";
import type { Node } from "jsonc-parser";
import { quoted, type Report } from "../../report.ts";
import type { ExampleFetch, ExampleResponse } from "../../types/tool-definition.ts";

const keys = ["status", "headers", "body"] as const;
const shapeHint = 'write `{"https://api.example.com/x": {"status": 200, "body": …}}`';
const answerHint = 'write `{"status": 200, "headers": {…}, "body": …}`, or an array of such answers';

/** What a `fetch` block says at a node of its JSON. */
interface Located {
  readonly value: unknown;
  readonly node: Node;
}

/** Reads the answers that the JSON of a `fetch` block declares, and reports its mistakes; those without a mistake are returned. */
export function readFetchBlock({ value, node }: LocatedJson, report: Report): readonly ExampleFetch[] {
  if (!isRecord(value)) {
    reportAt(node, `unexpected ${node.type}, expected an object from URLs to answers`, shapeHint, report);
    return [];
  }
  const seen = new Set<string>();
  return jsonMembers(node).flatMap((member) => {
    const request = readRequest(member, report);
    const answers = readAnswers({ value: value[member.name], node: member.value }, report);
    if (request === undefined || answers === undefined) return [];
    const line = `${request.method ?? ""} ${request.url}`;
    if (seen.has(line)) reportAt(member.key, `second entry for ${quoted(line.trim())}`, "merge the two", report);
    seen.add(line);
    return { ...request, ...answers };
  });
}

/** The method, if one is named, and the URL as a request has it. */
function readRequest({ name, key }: JsonMember, report: Report): Pick<ExampleFetch, "method" | "url"> | undefined {
  const [, method, text = ""] = /^(?:([A-Za-z]+)\s+)?(.*)$/s.exec(name) ?? [];
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const hint = /^[\w-]+(?:\.[\w-]+)+(?:[:/?]|$)/.test(text)
      ? `write \`https://${text}\``
      : "write the whole URL, after a method if only that is meant: `POST https://api.example.com/x`";
    reportAt(key, `unexpected ${quoted(name)}, expected a URL of http or https`, hint, report);
    return undefined;
  }
  url.hash = "";
  return { ...(method === undefined ? {} : { method: method.toUpperCase() }), url: url.href };
}

function readAnswers(
  { value, node }: Located,
  report: Report,
): Pick<ExampleFetch, "responses" | "isSequence"> | undefined {
  const isSequence = Array.isArray(value);
  const all = isSequence ? value.map((item, index) => ({ value: item, node: node.children?.[index] ?? node })) : [];
  if (isSequence && all.length === 0) {
    reportAt(node, "unexpected empty array, expected at least one answer", answerHint, report);
    return undefined;
  }
  const responses = (isSequence ? all : [{ value, node }]).map((one) => readAnswer(one, report));
  const read = responses.filter((response) => response !== undefined);
  return read.length === responses.length ? { responses: read, isSequence } : undefined;
}

function readAnswer({ value, node }: Located, report: Report): ExampleResponse | undefined {
  if (!isRecord(value)) {
    reportAt(node, `unexpected ${node.type} as an answer, expected an object`, answerHint, report);
    return undefined;
  }
  const members = jsonMembers(node);
  const nodeOf = (name: string): Node => members.find((member) => member.name === name)?.value ?? node;
  for (const { key, name } of members) {
    if (keys.some((known) => known === name)) continue;
    const message = `unexpected key ${quoted(name)} of an answer, expected one of ${keys.join(", ")}`;
    reportAt(key, message, didYouMean(name, keys, answerHint), report);
  }
  const { status = 200, headers, body } = value;
  if (!isStatus(status)) {
    const seen = quoted(JSON.stringify(status));
    const message = `unexpected ${seen} as a status, expected a whole number from 200 to 599`;
    reportAt(nodeOf("status"), message, "write a status that `fetch` can receive, such as 200 or 404", report);
    return undefined;
  }
  const read = headers === undefined ? {} : readHeaders({ value: headers, node: nodeOf("headers") }, report);
  return read && { status, headers: read, ...(isJson(body) ? { body } : {}) };
}

/** A `fetch` never resolves with a status below 200. */
const isStatus = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 200 && value <= 599;

/** What a parsed JSON text has where it has something. */
const isJson = (value: unknown): value is JsonValue => value !== undefined;

function readHeaders({ value, node }: Located, report: Report): ExampleResponse["headers"] | undefined {
  const hint = 'write `"headers": {"content-type": "text/html"}`';
  if (!isRecord(value)) {
    reportAt(node, `unexpected ${node.type} as headers, expected an object of strings`, hint, report);
    return undefined;
  }
  const wrong = jsonMembers(node).filter(({ name }) => !isHeader(name, value[name]));
  for (const { name, key } of wrong) {
    const message = `unexpected header ${quoted(name)}, expected a name of HTTP and a string of one line`;
    reportAt(key, message, hint, report);
  }
  if (wrong.length > 0) return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
}

function isHeader(name: string, value: unknown): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && typeof value === "string" && /^[\t\x20-\x7E\x80-\xFF]*$/.test(value);
}

function reportAt({ offset }: Node, message: string, hint: string, report: Report): void {
  report({ rule: "example-fetch", offset, message, hint });
}

import { type JsonMember, jsonMembers, type LocatedJson } from "@mdx-ai/base/json";
import { type Finding, mapOf, type Schema, validate } from "@mdx-ai/base/schema";
import { quoted, type Report } from "../../report.ts";
import type { ExampleFetch, ExampleResponse } from "../../types/tool-definition.ts";

/** An answer as it may be written. */
type WrittenAnswer = Partial<ExampleResponse>;

const headers: Schema<ExampleResponse["headers"]> = {
  title: "an object of strings",
  description: 'write `"headers": {"content-type": "text/html"}`',
  type: "object",
  isWhole: true,
  additionalProperties: {},
  checkKey: (name, value) =>
    isHeader(name, value)
      ? undefined
      : {
          message: `unexpected header ${quoted(name)}, expected a name of HTTP and a string of one line`,
          hint: 'write `"headers": {"content-type": "text/html"}`',
        },
};

const answer: Schema = {
  ...mapOf("an answer, which is an object", 'write `{"status": 200, "headers": {…}, "body": …}`', {
    status: {
      title: "a whole number from 200 to 599",
      description: "write a status that `fetch` can receive, such as 200 or 404",
      ...{ type: "integer", minimum: 200, maximum: 599 },
    },
    headers,
    body: {},
  }),
  isWhole: true,
};

const answers: Schema = {
  ...answer,
  title: "an answer, which is an object, or an array of answers",
  ...{ type: ["object", "array"], minItems: 1, items: answer },
};

const fetchBlock: Schema<Readonly<Record<string, WrittenAnswer | readonly WrittenAnswer[]>>> = {
  title: "an object from URLs to answers",
  description: 'write `{"https://api.example.com/x": {"status": 200, "body": …}}`',
  type: "object",
  additionalProperties: answers,
  checkKey: (name) => (requestOf(name) === undefined ? noRequest(name) : undefined),
};

/** Reads the answers that the JSON of a `fetch` block declares, and reports its mistakes; those without a mistake are returned. */
export function readFetchBlock(json: LocatedJson, report: Report): readonly ExampleFetch[] {
  const { value = {}, problems } = validate(fetchBlock, json, { noun: "key" });
  for (const { range, message, hint } of problems)
    report({ rule: "example-fetch", offset: range.start, message, hint });
  const refused = new Set(problems.map(({ path: [name] }) => name));
  const seen = new Set<string>();
  return jsonMembers(json.node).flatMap((member) => {
    const request = requestOf(member.name);
    if (request === undefined || refused.has(member.name)) return [];
    const line = `${request.method ?? ""} ${request.url}`;
    if (seen.has(line)) reportSecond(member, line.trim(), report);
    seen.add(line);
    // Nothing remains of an empty one.
    const written = value[member.name] ?? {};
    const isSequence = Array.isArray(written);
    return { ...request, responses: [written].flat().map(responseOf), isSequence };
  });
}

const responseOf = ({ status = 200, headers = {}, body }: WrittenAnswer): ExampleResponse => ({
  status,
  headers,
  ...(body !== undefined && { body }),
});

/** The method, if one is named, and the URL as a request has it; undefined for any other text. */
function requestOf(name: string): Pick<ExampleFetch, "method" | "url"> | undefined {
  const [, method, text = ""] = /^(?:([A-Za-z]+)\s+)?(.*)$/s.exec(name) ?? [];
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  url.hash = "";
  return { ...(method !== undefined && { method: method.toUpperCase() }), url: url.href };
}

function noRequest(name: string): Finding {
  const text = name.replace(/^[A-Za-z]+\s+/, "");
  const hint = /^[\w-]+(?:\.[\w-]+)+(?:[:/?]|$)/.test(text)
    ? `write \`https://${text}\``
    : "write the whole URL, after a method if only that is meant: `POST https://api.example.com/x`";
  return { message: `unexpected ${quoted(name)}, expected a URL of http or https`, hint };
}

function reportSecond({ key: { offset } }: JsonMember, line: string, report: Report): void {
  report({ rule: "example-fetch", offset, message: `second entry for ${quoted(line)}`, hint: "merge the two" });
}

function isHeader(name: string, value: unknown): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && typeof value === "string" && /^[\t\x20-\x7E\x80-\xFF]*$/.test(value);
}

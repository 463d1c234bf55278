import { describe, expect, test } from "bun:test";
import type { ToolExample } from "@mdx-ai/parser";
import { agentText } from "../../support/agent-text.ts";
import { placesOf, withFixes } from "../../support/diagnostic-places.ts";
import { exampleText, toolWithExamples } from "../../support/example-text.ts";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";
import { PLAIN_MESSAGE } from "../../support/plain-message.ts";

/** An agent whose tool has these examples; the first stands on line 16, its JSON on line 18. */
const agentWith = (...examples: readonly string[]): string => agentText(toolWithExamples(...examples));

async function examplesOf(text: string): Promise<readonly ToolExample[]> {
  const { tools, diagnostics } = await parseAgentMdx(text);
  expect(diagnostics).toStrictEqual([]);
  return tools.flatMap(({ examples }) => examples);
}

const vienna = '{"arguments": {"city": "Vienna"}, "result": "Vienna 0"}';

describe("an example of a tool", () => {
  test("is read with its name, its call, what it must come to and its place", async () => {
    expect(await examplesOf(agentWith(exampleText(vienna, ' name="a city" few-shot')))).toStrictEqual([
      {
        name: "a city",
        arguments: { city: "Vienna" },
        expected: { type: "result", value: "Vienna 0" },
        fewShot: true,
        position: { line: 16, column: 1 },
      },
    ]);
  });

  test.each<[string, ToolExample["expected"]]>([
    ['{"arguments": {"city": "a"}}', { type: "success" }],
    ['{"arguments": {"city": "a"}, "result": ""}', { type: "result", value: "" }],
    ['{"arguments": {"city": "a"}, "result": null}', { type: "result", value: null }],
    [
      '{"arguments": {"city": "a"}, "result": {"b": [1, {"c": true}]}}',
      { type: "result", value: { b: [1, { c: true }] } },
    ],
    ['{"arguments": {"city": "a"}, "contains": "a 0"}', { type: "contains", text: "a 0" }],
    ['{"error": "no such city", "arguments": {"city": "a"}}', { type: "error", text: "no such city" }],
  ])("states in %s what the call must come to", async (json, expected) => {
    expect((await examplesOf(agentWith(exampleText(json)))).map((example) => example.expected)).toStrictEqual([
      expected,
    ]);
  });

  test.each([
    ["", false],
    [" few-shot", true],
    [' few-shot="true"', true],
    [" few-shot={true}", true],
    [' few-shot="false"', false],
    [" few-shot={false}", false],
  ])("with the attributes «%s» is few-shot: %p", async (attributes, fewShot) => {
    const [example] = await examplesOf(agentWith(exampleText(vienna, attributes)));
    expect(example?.fewShot).toBe(fewShot);
    expect(example).not.toHaveProperty("name");
  });

  test("declares what its tool fetches and the time that it sees", async () => {
    const answers = {
      "https://API.example.com/x?a=b#top": { body: { temperature: 21 } },
      "post https://api.example.com/x": [
        { status: 404, headers: { vary: "accept" } },
        { status: 200, body: "ok" },
      ],
    };
    const text = exampleText(
      `${vienna}\n\`\`\`\n\n\`\`\`json fetch\n${JSON.stringify(answers)}`,
      ' now="2026-01-02T03:04Z"',
    );
    const [example] = await examplesOf(agentWith(text));
    expect(example).toMatchObject({ arguments: { city: "Vienna" }, now: Date.UTC(2026, 0, 2, 3, 4) });
    expect(example?.fetch).toStrictEqual([
      {
        url: "https://api.example.com/x?a=b",
        responses: [{ status: 200, headers: {}, body: { temperature: 21 } }],
        isSequence: false,
      },
      {
        method: "POST",
        url: "https://api.example.com/x",
        responses: [
          { status: 404, headers: { vary: "accept" } },
          { status: 200, headers: {}, body: "ok" },
        ],
        isSequence: true,
      },
    ]);
  });

  test.each([
    ["2026-01-02", Date.UTC(2026, 0, 2)],
    ["2026-01-02T03:04:05.678Z", Date.UTC(2026, 0, 2, 3, 4, 5, 678)],
    ["2026-01-02T03:04:05+02:00", Date.UTC(2026, 0, 2, 1, 4, 5)],
    ["2024-02-29T00:00Z", Date.UTC(2024, 1, 29)],
  ])("sees the time %s", async (now, moment) => {
    expect((await examplesOf(agentWith(exampleText(vienna, ` now="${now}"`))))[0]?.now).toBe(moment);
  });

  test("is one of several, before and after the code, in the order of the file", async () => {
    const text = agentWith(exampleText(vienna, ' name="b"'), exampleText(vienna, ' name="c"'));
    const first = text.replace("```ts", `${exampleText(vienna, ' name="a"')}\n\`\`\`ts`);
    expect((await examplesOf(first)).map(({ name }) => name)).toStrictEqual(["a", "b", "c"]);
  });

  test("may hold TypeScript in its JSON, which is not the tool's code", async () => {
    const json = JSON.stringify({ arguments: { city: "```ts\nfunction execute() {}\n```" }, contains: "</Example>" });
    const { tools } = await parseAgentMdx(agentWith(exampleText(json)));
    expect(tools[0]?.code.text).toContain("month ?? 0");
    expect(tools[0]?.examples[0]?.arguments).toStrictEqual({ city: "```ts\nfunction execute() {}\n```" });
  });

  test("keeps keys that mean something to JavaScript", async () => {
    const json = '{"arguments": {"city": "a"}, "result": {"__proto__": 1, "constructor": 2}}';
    const [example] = await examplesOf(agentWith(exampleText(json)));
    expect(JSON.stringify(example?.expected)).toContain('"__proto__":1,"constructor":2');
  });

  test("is read the same with CRLF, a byte-order mark and indentation", async () => {
    const text = agentWith(exampleText(vienna.replace(", ", ",\n  ")));
    const [plain] = await examplesOf(text);
    expect(await examplesOf(`\uFEFF${text.replaceAll("\n", "\r\n")}`)).toStrictEqual(
      plain === undefined ? [] : [plain],
    );
    const indented = agentText(`- one\n\n${toolWithExamples(exampleText(vienna)).replace(/^(?=.)/gm, "  ")}`);
    expect((await examplesOf(indented)).map(({ position, expected }) => [position, expected])).toStrictEqual([
      [
        { line: 18, column: 3 },
        { type: "result", value: "Vienna 0" },
      ],
    ]);
  });

  test("leaves prose, identity and the tool's code as they were", async () => {
    const plain = await parseAgentMdx(`${agentWith()}\n## Notes\n\nx\n`);
    const shown = await parseAgentMdx(`${agentWith(exampleText(vienna))}\n## Notes\n\nx\n`);
    expect(shown.identity).toStrictEqual(plain.identity);
    expect(shown.tools[0]?.code).toStrictEqual(plain.tools[0]?.code);
    expect(shown.program).toBeUndefined();
  });
});

describe("a mistake in an example is told at its place", () => {
  const fetching = (json: string): string =>
    `<Example>\n\`\`\`json fetch\n${json}\n\`\`\`\n\`\`\`json\n${vienna}\n\`\`\`\n</Example>\n`;
  const inJson = (json: string): string => exampleText(json);
  const rows: readonly [name: string, example: string, places: readonly string[], message?: string][] = [
    ["an empty name", exampleText(vienna, ' name=" "'), ["16:10 example-name"]],
    ["a name that is no text", exampleText(vienna, " name={5}"), ["16:10 example-name"]],
    ["a bad few-shot", exampleText(vienna, ' few-shot="yes"'), ["16:10 example-few-shot"]],
    ["a time without its zone", exampleText(vienna, ' now="2026-01-02T03:04:05"'), ["16:10 example-clock"]],
    [
      "a time in words",
      exampleText(vienna, ' now="tomorrow"'),
      ["16:10 example-clock"],
      "unexpected `tomorrow` as `now`",
    ],
    ["an hour that no day has", exampleText(vienna, ' now="2026-01-02T25:00Z"'), ["16:10 example-clock"]],
    ["a day that no month has", exampleText(vienna, ' now="2026-06-31T00:00Z"'), ["16:10 example-clock"]],
    ["a time without a value", exampleText(vienna, " now"), ["16:10 example-clock"]],
    ["an unknown attribute", exampleText(vienna, ' title="x"'), ["16:10 attribute-unknown"]],
    ["an expression", exampleText(vienna, " name={1 + 1}"), ["16:10 attribute-value"]],
    ["no block", "<Example />\n", ["16:1 example-code"]],
    ["a block of another language", "<Example>\n```ts\n{}\n```\n</Example>\n", ["17:1 example-code"]],
    ["a block of JSON with comments", "<Example>\n```jsonc\n{}\n```\n</Example>\n", ["17:1 example-code"]],
    ["a second block", exampleText(`${vienna}\n\`\`\`\n\n\`\`\`json\n${vienna}`), ["21:1 example-code-duplicate"]],
    ["a text beside the block", `<Example>\n\nShows it.\n${exampleText(vienna).slice(9)}`, ["18:1 example-content"]],
    ["a parameter within", `<Example>\n<Param name="x" />\n${exampleText(vienna).slice(10)}`, ["17:1 example-content"]],
    ["an example within", `<Example>\n${exampleText(vienna)}</Example>\n`, ["17:1 example-content"]],
    [
      "a URL of another kind",
      fetching('{"ftp://a.example/": {}}'),
      ["18:2 example-fetch"],
      "`ftp://a.example/`, expected",
    ],
    ["a path instead of a URL", fetching('{"/x": {}}'), ["18:2 example-fetch"]],
    ["an answer that is null", fetching('{"https://a.example/": null}'), ["18:24 example-fetch"], "unexpected nothing"],
    [
      "a wrong answer within an array",
      fetching('{"https://a.example/": [{},\n{"status": "200"}]}'),
      ["19:12 example-fetch"],
      "unexpected `200` as `https://a.example/.status`, expected a whole number from 200 to 599",
    ],
    ["a status that no request receives", fetching('{"https://a.example/": {"status": 100}}'), ["18:35 example-fetch"]],
    ["a header of two lines", fetching('{"https://a.example/": {"headers": {"a": "b\\nc"}}}'), ["18:37 example-fetch"]],
    ["a header with a blank", fetching('{"https://a.example/": {"headers": {"a b": "c"}}}'), ["18:37 example-fetch"]],
    ["an answer with an unknown key", fetching('{"https://a.example/": {"json": {}}}'), ["18:25 example-fetch"]],
    [
      "two entries for a method and URL",
      fetching('{"PUT https://a.example": {},\n"put https://a.example/": {}}'),
      ["19:1 example-fetch"],
      "second entry for `PUT https://a.example/`",
    ],
    ["no JSON at all", inJson(""), ["18:1 example-json"], "unexpected end of the JSON, expected a value"],
    ["a trailing comma", inJson('{"arguments": {},\n}'), ["19:1 example-json"], "expected a key in double quotes"],
    [
      "a missing comma",
      inJson('{"arguments": {}\n "result": 1}'),
      ["19:2 example-json"],
      'unexpected `"result"`, expected `,`',
    ],
    ["a key without quotes", inJson("{arguments: {}}"), ["18:2 example-json"], "unexpected `arguments`"],
    ["single quotes", inJson("{'arguments': {}}"), ["18:2 example-json"]],
    ["a comment", inJson('{"arguments": {} // none\n}'), ["18:18 example-json"], "expected no comments"],
    ["a text over two lines", inJson('{"arguments": {"city": "a\nb"}}'), ["18:24 example-json"], "on the same line"],
    ["an escape that JSON does not know", inJson('{"arguments": {"city": "\\x"}}'), ["18:24 example-json"]],
    ["an open brace", inJson('{"arguments": {}'), ["18:17 example-json"], "unexpected end of the JSON, expected `}`"],
    ["something after the value", inJson('{"arguments": {"city": ""}} 1'), ["18:29 example-json"], "nothing after"],
    ["a key twice", inJson('{"arguments": {"city": "a", "city": "b"}}'), ["18:29 example-json"], "second key `city`"],
    ["a number beyond all", inJson('{"arguments": {"city": "a", "month": 1e999}}'), ["18:38 example-json"]],
    ["a list", inJson("[1]"), ["18:1 example-shape"], "unexpected array, expected an object"],
    ["no arguments", inJson('{"result": 1}'), ["18:1 example-shape"], "has no `arguments`"],
    [
      "arguments that are a list",
      inJson('{"arguments": []}'),
      ["18:15 example-shape"],
      "unexpected array as `arguments`",
    ],
    [
      "an unknown key",
      inJson('{"arguments": {"city": ""}, "expect": 1}'),
      ["18:29 example-shape"],
      "unexpected key `expect`",
    ],
    [
      "two expectations",
      inJson('{"arguments": {"city": ""}, "result": "a",\n "contains": "b"}'),
      ["19:2 example-shape"],
      "unexpected `contains` beside `result`",
    ],
    ["an empty expectation", inJson('{"arguments": {"city": ""}, "contains": ""}'), ["18:41 example-shape"]],
    ["an expectation that is no text", inJson('{"arguments": {"city": ""}, "error": 5}'), ["18:38 example-shape"]],
    [
      "an argument too few",
      inJson('{"arguments": {}}'),
      ["18:15 example-arguments"],
      "required argument `city` is missing",
    ],
    [
      "an unknown argument",
      inJson('{"arguments": {"city": "", "moth": 1}}'),
      ["18:28 example-arguments"],
      "`moth`, expected `city`, `month`",
    ],
    [
      "an argument of another type",
      inJson('{"arguments":\n{"city": 5}}'),
      ["19:10 example-arguments"],
      "number for parameter `city`, expected a string",
    ],
    [
      "several wrong arguments",
      inJson('{"arguments": {"city": null, "month": "7", "x": 1}}'),
      ["18:24 example-arguments", "18:39 example-arguments", "18:44 example-arguments"],
    ],
  ];
  test.each(rows)("%s", async (_name, example, places, message = "") => {
    const { diagnostics } = await parseAgentMdx(agentWith(example));
    expect(placesOf(diagnostics)).toStrictEqual([...places]);
    expect(diagnostics[0]?.message).toMatch(PLAIN_MESSAGE);
    expect(diagnostics[0]?.message).toContain(message);
    expect(diagnostics[0]?.hint).not.toBeEmpty();
  });

  test("in the columns of the file where Markdown took an indentation away", async () => {
    const indented = toolWithExamples(exampleText('{"arguments": {"city": 1}}')).replace(/^(?=.)/gm, "    ");
    const { diagnostics } = await parseAgentMdx(agentText(`- one\n\n${indented}`));
    expect(placesOf(diagnostics)).toStrictEqual(["20:28 example-arguments"]);
  });

  test("a name that stands twice in a tool is a warning at the second", async () => {
    const { diagnostics, tools } = await parseAgentMdx(
      agentWith(
        exampleText(vienna, ' name="a"'),
        exampleText(vienna),
        exampleText(vienna),
        exampleText(vienna, ' name="a"'),
      ),
    );
    expect(placesOf(diagnostics)).toStrictEqual(["34:1 example-name-duplicate"]);
    expect(diagnostics[0]?.severity).toBe("warning");
    expect(tools[0]?.examples).toHaveLength(4);
  });

  test("and the others are read all the same", async () => {
    const { tools } = await parseAgentMdx(agentWith(exampleText("{"), exampleText(vienna)));
    expect(tools.flatMap(({ examples }) => examples.map(({ position }) => position.line))).toStrictEqual([22]);
  });

  test.each([
    [exampleText('{"arguments": {"city": ""}, "contians": "a"}'), "did you mean `contains`?"],
    [exampleText('{"arguments": {"city": "", "moth": 1}}'), "did you mean `month`?"],
    [exampleText(vienna, " fewshot"), "did you mean `few-shot`?"],
    [
      exampleText('{"https://a.example/": {}, "arguments": {"city": ""}}'),
      "begin the block of answers to `fetch` with ```json fetch",
    ],
    [exampleText(vienna).replaceAll("Example", "Exampel"), "did you mean `Example`?"],
  ])("%j is hinted at", async (example, hint) => {
    const { diagnostics } = await parseAgentMdx(agentWith(example));
    expect(diagnostics[0]?.hint).toBe(hint);
  });

  test("a nesting without end is told and breaks nothing", async () => {
    for (const depth of [200, 100_000]) {
      const json = `{"arguments": {"city": "a"}, "result": ${"[".repeat(depth)}${"]".repeat(depth)}}`;
      const { diagnostics } = await parseAgentMdx(agentWith(exampleText(json)));
      expect(diagnostics.map(({ rule }) => rule)).toStrictEqual(["example-json"]);
    }
  });
});

describe("tags around examples that do not fit are fixed at one position", () => {
  const code = "```ts\nfunction execute() {}\n```\n";
  const example = exampleText('{"arguments": {}}');
  const tool = (inner: string): string => `<Tool name="t" description="d">\n${inner}</Tool>\n`;
  const rows: readonly [name: string, text: string, places: readonly string[], examples: number][] = [
    [
      "an example is not closed",
      tool(`${code}${example.replace("</Example>\n", "")}`),
      ["11:1 element-closing-tag"],
      1,
    ],
    [
      "one before the code is not closed",
      tool(`${example.replace("</Example>\n", "")}${code}`),
      ["8:1 element-closing-tag"],
      1,
    ],
    [
      "the block of an example is not closed",
      tool(`${code}<Example>\n\`\`\`json\n{"arguments": {}}\n</Example>\n`),
      ["14:1 element-closing-tag"],
      1,
    ],
    ["a closing tag stands alone", tool(`${code}</Example>\n`), ["11:1 element-closing-tag"], 0],
    [
      "a tool with an example is not closed",
      tool(`${code}${example}`).replace("</Tool>\n", ""),
      ["7:1 element-closing-tag"],
      1,
    ],
    [
      "a tool with an example before its code is not closed",
      tool(`${example}${code}`).replace("</Tool>\n", ""),
      ["7:1 element-closing-tag"],
      1,
    ],
    [
      "a closing tag is misspelled",
      tool(`${code}${example.replace("</Example>", "</Exampel>")}`),
      ["15:1 element-closing-tag"],
      1,
    ],
  ];
  test.each(rows)("%s", async (_name, text, places, examples) => {
    const whole = agentText(`${text}\n## Notes\n\nx\n`);
    const read = await parseAgentMdx(whole);
    expect(placesOf(read.diagnostics)).toStrictEqual([...places]);
    const fixed = await parseAgentMdx(withFixes(whole, read.diagnostics));
    expect(fixed.diagnostics).toStrictEqual([]);
    expect(fixed.tools.map((one) => one.examples.length)).toStrictEqual([examples]);
    expect(fixed.identity.sections).toStrictEqual([{ title: "Notes", body: "x" }]);
  });
});

describe("outside of a tool `<Example>` means nothing of its own", () => {
  test("a component of that name is the author's", async () => {
    const { diagnostics, program } = await parseAgentMdx(
      `import { Example } from "./x.tsx"\n\n${agentText("<Example>\n\nhi\n\n</Example>\n")}`,
    );
    expect(diagnostics).toStrictEqual([]);
    expect(program).toContain("Example");
  });

  test("one that nobody imports is told to belong into a tool", async () => {
    const { diagnostics } = await parseAgentMdx(agentText("<Example>\n\nhi\n\n</Example>\n"));
    expect(placesOf(diagnostics)).toStrictEqual(["7:1 element-place"]);
    expect(diagnostics[0]?.hint).toContain("between `<Tool …>` and `</Tool>`");
  });

  test("in a code fence it is text", async () => {
    const { diagnostics, tools } = await parseAgentMdx(agentWith(`\`\`\`\`md\n${exampleText("{")}\`\`\`\``));
    expect(diagnostics).toStrictEqual([]);
    expect(tools[0]?.examples).toStrictEqual([]);
  });
});

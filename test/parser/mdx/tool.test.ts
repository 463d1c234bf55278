import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { agentText, toolWithCode } from "../../support/agent-text.ts";
import { placesOf, withFixes } from "../../support/diagnostic-places.ts";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";
import { PLAIN_MESSAGE } from "../../support/plain-message.ts";

const execute = 'async function execute() {\n  return "";\n}';
const fixture = (name: string): string => readFileSync(join(import.meta.dir, "../fixtures", name), "utf8");

test("the specification's tool, written as an author would, is read whole", async () => {
  const { tools, diagnostics, identity } = await parseAgentMdx(agentText(fixture("specified-tool.mdx")));
  expect(diagnostics).toEqual([]);
  expect(identity.purpose).toBe("Tests.");
  expect(tools).toEqual([
    {
      name: "tool_name",
      description: "What this tool does",
      parameters: [
        { name: "city", type: "string", description: "City name", required: true, position: { line: 8, column: 3 } },
        {
          name: "verbose",
          type: "boolean",
          description: "Show details",
          required: false,
          position: { line: 9, column: 3 },
        },
      ],
      code: {
        text: `async function execute(params: { city: string; verbose?: boolean }, ctx: any) {\n  const resp = await fetch(\`https://example.com/api?city=\${params.city}\`);\n  return await resp.text();\n}`,
        position: { line: 12, column: 1 },
        indent: 0,
      },
      examples: [],
      environment: [],
      position: { line: 7, column: 1 },
    },
  ]);
});

test("the specification's tool as it is printed, with a stray fence, gives a located diagnostic whose fix helps", async () => {
  const text = agentText(fixture("printed-tool.mdx"));
  const { diagnostics } = await parseAgentMdx(text);
  expect(diagnostics[0]).toMatchObject({
    line: 17,
    column: 1,
    severity: "error",
    rule: "element-closing-tag",
    message: "unexpected code fence of 4 backticks, expected `</Tool>`",
  });
  const fixed = await parseAgentMdx(withFixes(text, diagnostics));
  expect(fixed.tools).toHaveLength(1);
  expect(placesOf(fixed.diagnostics)).toEqual(["19:1 code-fence-unclosed"]);
});

describe("what a tool may hold", () => {
  const rows: readonly [string, string, string][] = [
    ["a closing tag in a string", 'function execute() { return "</Tool>"; }', ""],
    ["an opening tag in a string", "function execute() { return \"<Tool name='x'>\"; }", ""],
    ["a parameter in its code", 'function execute() { return `<Param name="y" />`; }', ""],
    ["three backticks within a line of code", "function execute() { return `a ``` b`.length; }", ""],
    [
      "braces and angle brackets",
      "const f = <T,>(x: T) => ({ x });\nexport const execute = () => String(f(1).x < 2 && 3 > 1);",
      "",
    ],
    [
      "imports and exports",
      'import { join } from "node:path";\nexport async function execute() { return join("a", "b"); }',
      "",
    ],
  ];
  for (const [name, code] of rows) {
    test(name, async () => {
      const { tools, diagnostics } = await parseAgentMdx(agentText(toolWithCode(code)));
      expect(placesOf(diagnostics).filter((place) => !place.endsWith("tool-code-syntax"))).toEqual([]);
      expect(tools.map((tool) => tool.code.text)).toEqual([code]);
      expect(tools[0]?.parameters.map((parameter) => parameter.name)).toEqual(["city"]);
    });
  }

  test("fences of code within code, behind a longer fence", async () => {
    const code = "function execute() {\n  return `\n```sh\nls\n```\n`;\n}";
    const text = `<Tool name="t" description="d">\n\`\`\`\`typescript\n${code}\n\`\`\`\`\n</Tool>`;
    const { tools, diagnostics } = await parseAgentMdx(agentText(text));
    expect(diagnostics.filter((one) => one.rule !== "tool-code-syntax")).toEqual([]);
    expect(tools[0]?.code.text).toBe(code);
  });
});

describe("attributes", () => {
  const rows: readonly [string, string, object][] = [
    [`name="t" description="a > b { c } / <d"`, "", { description: "a > b { c } / <d" }],
    [`name='t' description='say "hi"'`, "", { description: 'say "hi"' }],
    [`name="t" description="a &quot;b&quot; &lt;"`, "", { description: 'a "b" <' }],
    [`name={"t"} description={"no\\ttag"}`, "", { name: "t", description: "no\ttag" }],
    [`name="t"\n  description="lines"\n`, "", { description: "lines" }],
    [`name="t" description="d" timeout="2.5"`, "", { timeout: 2.5 }],
    [`name="t" description="d" timeout={90}`, "", { timeout: 90 }],
    [`name="t" description="d" env="A_KEY, B2,A_KEY"`, "", { environment: ["A_KEY", "B2"] }],
    [
      `name="t" description="d"`,
      `<Param name="p" required={false} />`,
      { parameters: [{ name: "p", required: false }] },
    ],
    [`name="t" description="d"`, `<Param name="p" required />`, { parameters: [{ name: "p", required: true }] }],
    [`name="t" description="d"`, `<Param name="p" required='true' />`, { parameters: [{ name: "p", required: true }] }],
    [
      `name="t" description="d"`,
      `<Param name="p" type={"number"} description={"x > {y}"} />`,
      { parameters: [{ name: "p", type: "number", description: "x > {y}", required: true }] },
    ],
    [
      `name="t" description="d"`,
      `<Param name="p"></Param>`,
      { parameters: [{ name: "p", type: "string", description: "" }] },
    ],
    [
      `name="t" description="d"`,
      `<Param name="a" /> <Param name="b" />`,
      { parameters: [{ name: "a" }, { name: "b" }] },
    ],
    [`name="погода" description="Wetter in 都市"`, "", { name: "погода", description: "Wetter in 都市" }],
  ];
  for (const [attributes, params, expected] of rows) {
    test(`${attributes} ${params}`.trim().replace(/\s+/g, " "), async () => {
      const text = `<Tool ${attributes}>\n${params}\n\`\`\`ts\n${execute}\n\`\`\`\n</Tool>`;
      const { tools, diagnostics } = await parseAgentMdx(agentText(text));
      expect(diagnostics.filter((one) => one.rule !== "tool-wire-name")).toEqual([]);
      expect(tools).toHaveLength(1);
      expect(tools[0]).toMatchObject(expected);
    });
  }
});

describe("mistakes", () => {
  const code = `\n\`\`\`ts\n${execute}\n\`\`\`\n</Tool>`;
  const rows: readonly [string, string, readonly string[]][] = [
    ["no name", `<Tool description="d">${code}`, ["7:1 tool-name"]],
    ["an empty name", `<Tool name=" " description="d">${code}`, ["7:7 tool-name"]],
    ["no description", `<Tool name="t">${code}`, ["7:1 tool-description"]],
    ["no code block", `<Tool name="t" description="d">\n</Tool>`, ["7:1 tool-code"]],
    ["no code block in one tag", `<Tool name="t" description="d" />`, ["7:1 tool-code"]],
    ["code of another language", `<Tool name="t" description="d">\n\`\`\`js\n1\n\`\`\`\n</Tool>`, ["8:1 tool-code"]],
    [
      "two code blocks",
      `<Tool name="t" description="d">\n\`\`\`ts\n${execute}\n\`\`\`${code}`,
      ["13:1 tool-code-duplicate"],
    ],
    ["an unknown attribute", `<Tool name="t" description="d" timout="3">${code}`, ["7:32 attribute-unknown"]],
    ["an attribute twice", `<Tool name="t" name="u" description="d">${code}`, ["7:16 attribute-duplicate"]],
    ["an expression", `<Tool name="t" description={1 + 1}>${code}`, ["7:16 attribute-value"]],
    ["a spread", `<Tool name="t" description="d" {...x}>${code}`, ["7:32 attribute-value"]],
    ["a number for a name", `<Tool name={5} description="d">${code}`, ["7:7 tool-name"]],
    ["a bad timeout", `<Tool name="t" description="d" timeout="soon">${code}`, ["7:32 tool-timeout"]],
    ["a timeout below zero", `<Tool name="t" description="d" timeout={-1}>${code}`, ["7:32 tool-timeout"]],
    ["a bad variable", `<Tool name="t" description="d" env="A-B">${code}`, ["7:32 tool-environment"]],
    ["a name that needs a wire name", `<Tool name="fs.list" description="d">${code}`, ["7:7 tool-wire-name"]],
    ["the name of a builtin", `<Tool name="bash" description="d">${code}`, ["7:7 tool-name-duplicate"]],
    ["text between the tags", `<Tool name="t" description="d">\n\nHello\n${code}`, ["9:1 tool-content"]],
    [
      "a tool in a tool",
      `<Tool name="t" description="d">\n<Tool name="u" description="d" />${code}`,
      ["8:1 tool-nested"],
    ],
    ["a parameter without a name", `<Tool name="t" description="d">\n<Param />${code}`, ["8:1 param-name"]],
    [
      "a parameter that providers refuse",
      `<Tool name="t" description="d">\n<Param name="a b" />${code}`,
      ["8:8 param-name-form"],
    ],
    [
      "two parameters of one name",
      `<Tool name="t" description="d">\n<Param name="a" />\n<Param name="a" />${code}`,
      ["9:1 param-name-duplicate"],
    ],
    ["an unknown type", `<Tool name="t" description="d">\n<Param name="a" type="int" />${code}`, ["8:17 param-type"]],
    [
      "a bad required",
      `<Tool name="t" description="d">\n<Param name="a" required="no" />${code}`,
      ["8:17 param-required"],
    ],
    [
      "a description that is no text",
      `<Tool name="t" description="d">\n<Param name="a" description={5} />${code}`,
      ["8:17 param-description"],
    ],
    [
      "an unknown attribute of a parameter",
      `<Tool name="t" description="d">\n<Param name="a" requird="true" />${code}`,
      ["8:17 attribute-unknown"],
    ],
    ["a parameter outside", `<Param name="a" />`, ["7:1 element-place"]],
  ];
  for (const [name, text, places] of rows) {
    test(`${name} is told at its place`, async () => {
      const { diagnostics } = await parseAgentMdx(agentText(text));
      expect(placesOf(diagnostics)).toEqual(places);
      for (const { message, hint } of diagnostics) {
        expect(message).toMatch(PLAIN_MESSAGE);
        expect(hint).not.toBe("");
      }
    });
  }

  const suggestions: readonly [string, string][] = [
    [`<Tool name="t" descripton="d">${code}`, "did you mean `description`?"],
    [`<Tool name="t" description="d">\n<Param name="a" type="float" />${code}`, "did you mean `number`?"],
    [`<Tool name="t" description="d">\n<Param name="a" type="strng" />${code}`, "did you mean `string`?"],
    [`<Tool name="fs.list" description="d">${code}`, "rename it, or leave it: a model receives it as `fs_list`"],
  ];
  for (const [text, hint] of suggestions) {
    test(`a hint says: ${hint}`, async () => {
      const { diagnostics } = await parseAgentMdx(agentText(text));
      expect(diagnostics.map((diagnostic) => diagnostic.hint)).toContain(hint);
    });
  }

  test("two tools of one name are an error at the second, and the first stays", async () => {
    const text = `${toolWithCode(execute)}\n${toolWithCode("function execute() { return 2; }")}`;
    const { tools, diagnostics } = await parseAgentMdx(agentText(text));
    expect(placesOf(diagnostics)).toEqual(["18:7 tool-name-duplicate"]);
    expect(tools.map((tool) => tool.code.text)).toEqual([execute]);
  });
});

describe("examples are no tools", () => {
  const tool = toolWithCode(execute);
  const rows: readonly (readonly [name: string, text: string, body?: string])[] = [
    ["in a longer fence", `\`\`\`\`mdx\n${tool}\`\`\`\``],
    ["in tildes", `~~~\n${tool}~~~`],
    ["in a code span", '`<Tool name="x">` is how a tool starts'],
    ["escaped", "\\<Tool name=\\{x}>"],
    ["the argument of a type", "An Array<Tool> of `<Tool>`s"],
    ["in indented HTML", '<pre>\n<Tool name="x">\n</pre>'],
  ];
  for (const [name, text, body = text] of rows) {
    test(name, async () => {
      const { tools, diagnostics, identity } = await parseAgentMdx(agentText(`## Notes\n\n${text}\n`));
      expect(diagnostics).toEqual([]);
      expect(tools).toEqual([]);
      expect(identity.sections).toEqual([{ title: "Notes", body }]);
    });
  }
});

describe("the same tool is read", () => {
  const text = agentText(`${toolWithCode(execute)}\n## Notes\n\nx\n`);
  const rows: readonly [string, string][] = [
    ["with CRLF", text.replaceAll("\n", "\r\n")],
    ["with a byte-order mark", `\uFEFF${text}`],
    ["with a byte-order mark, CRLF and frontmatter", `\uFEFF---\r\nname: X\r\n---\r\n${text.replaceAll("\n", "\r\n")}`],
  ];
  for (const [name, variant] of rows) {
    test(name, async () => {
      const plain = await parseAgentMdx(text);
      const read = await parseAgentMdx(variant);
      expect(read.diagnostics).toEqual([]);
      expect(read.identity.prose.replaceAll("\r\n", "\n")).toBe(plain.identity.prose);
      expect(read.identity.prose.includes("\r")).toBe(variant.includes("\r"));
      expect(read.tools.map((tool) => tool.code.text)).toEqual([execute]);
    });
  }
});

test("a tool within a list or a component is a tool", async () => {
  const indented = toolWithCode(execute).replace(/^(?=.)/gm, "  ");
  const text = agentText(
    `- one\n\n${indented}\n- two\n\n<group>\n\n${toolWithCode(execute, 'name="b" description="B"')}\n</group>\n`,
  );
  const { tools, diagnostics } = await parseAgentMdx(text);
  expect(diagnostics).toEqual([]);
  expect(tools.map(({ name, code }) => [name, code.text, code.indent])).toEqual([
    ["probe", execute, 2],
    ["b", execute, 0],
  ]);
});

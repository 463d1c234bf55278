import { describe, expect, test } from "bun:test";
import { parseAgentMdx } from "@mdx-ai/parser/parse";
import { agentText, toolWithCode } from "../../support/agent-text.ts";
import { placesOf, withFixes } from "../../support/diagnostic-places.ts";

const code = "\n```ts\nfunction execute() {}\n```\n";
const tool = '<Tool name="t" description="d">';

interface Row {
  readonly name: string;
  readonly text: string;
  readonly places: readonly string[];
  /** The text after its fixes. */
  readonly fixed: string;
}

const rows: readonly Row[] = [
  {
    name: "a less-than sign",
    text: "if x <5 or x<= 3",
    places: ["7:6 mdx-tag", "7:13 mdx-tag"],
    fixed: "if x \\<5 or x\\<= 3",
  },
  { name: "a heart", text: "I <3 you", places: ["7:3 mdx-tag"], fixed: "I \\<3 you" },
  {
    name: "a comment of HTML",
    text: "a <!-- b -->\n\n<!-- c\n\nd -->",
    places: ["7:3 mdx-comment", "9:1 mdx-comment"],
    fixed: "a {/* b */}\n\n{/* c\n\nd */}",
  },
  { name: "a comment that ends a comment", text: "<!-- */ -->", places: ["7:1 mdx-comment"], fixed: "{/* * / */}" },
  { name: "a comment that is not closed", text: "<!-- b", places: ["7:1 mdx-tag"], fixed: "\\<!-- b" },
  { name: "a lone brace", text: "a { b", places: ["7:3 mdx-expression"], fixed: "a \\{ b" },
  {
    name: "a lone brace before other braces",
    text: "{ a\n\n`{` and `}` \\{ x",
    places: ["7:1 mdx-expression"],
    fixed: "\\{ a\n\n`{` and `}` \\{ x",
  },
  {
    name: "prose in braces after an equals sign",
    text: "a = {not js} b",
    places: ["7:5 mdx-expression"],
    fixed: "a = \\{not js} b",
  },
  { name: "prose in braces", text: "a {not js} b", places: ["7:3 mdx-expression"], fixed: "a \\{not js} b" },
  {
    name: "a name in braces that nothing defines",
    text: "Dear {customer},",
    places: ["7:6 mdx-unknown-name"],
    fixed: "Dear \\{customer},",
  },
  {
    name: "an address in angle brackets",
    text: "see <https://a.b/c?d=e>",
    places: ["7:5 mdx-link"],
    fixed: "see [https://a.b/c?d=e](https://a.b/c?d=e)",
  },
  {
    name: "a mail address in angle brackets",
    text: "to <me@a.b>",
    places: ["7:4 mdx-link"],
    fixed: "to [me@a.b](mailto:me@a.b)",
  },
  { name: "a line break of HTML", text: "a<br>b", places: ["7:2 mdx-closing-tag"], fixed: "a<br />b" },
  { name: "an image of HTML", text: '<img src="x">', places: ["7:1 mdx-closing-tag"], fixed: '<img src="x" />' },
  {
    name: "a comparison that looks like a tag",
    text: "a<b then c>d",
    places: ["7:2 mdx-closing-tag"],
    fixed: "a\\<b then c>d",
  },
  {
    name: "a tag that ends in another paragraph",
    text: "<div>a\n\nb</div>",
    places: ["7:1 mdx-closing-tag", "9:2 mdx-closing-tag"],
    fixed: "\\<div>a\n\nb\\</div>",
  },
  { name: "a closing tag alone", text: "a </b> c", places: ["7:3 mdx-closing-tag"], fixed: "a \\</b> c" },
  {
    name: "a placeholder in angle brackets",
    text: "run <your command>",
    places: ["7:5 mdx-closing-tag"],
    fixed: "run \\<your command>",
  },
  {
    name: "an angle bracket right after a tag",
    text: "<b><5 minutes</b> left",
    places: ["7:4 mdx-tag"],
    fixed: "<b>\\<5 minutes</b> left",
  },
  {
    name: "a link in angle brackets within a tag",
    text: "<p><https://a.b/></p>",
    places: ["7:4 mdx-link"],
    fixed: "<p>[https://a.b/](https://a.b/)</p>",
  },
  {
    name: "a sentence that starts with import after a statement",
    text: "export const a = 1;\n\nimport all the data, then stop.",
    places: ["9:1 mdx-esm"],
    fixed: "export const a = 1;\n\n import all the data, then stop.",
  },
  {
    name: "a sentence that names an example",
    text: "Write <Example> here.\n\nMore.",
    places: ["7:7 mdx-closing-tag"],
    fixed: "Write \\<Example> here.\n\nMore.",
  },
  {
    name: "a comment of several paragraphs before text",
    text: "<!-- a\n\nb --> text",
    places: ["7:1 mdx-comment"],
    fixed: "{/* a\n\nb */}\n text",
  },
  {
    name: "what only begins like a comment within a paragraph",
    text: "a <!-- b\n\nc --> d",
    places: ["7:3 mdx-tag"],
    fixed: "a \\<!-- b\n\nc --> d",
  },
  { name: "a tag at the end of the file", text: "a <b", places: ["7:3 mdx-tag"], fixed: "a \\<b" },
  {
    name: "a sentence that starts with import",
    text: "import all the data, then stop.",
    places: ["7:1 mdx-esm"],
    fixed: " import all the data, then stop.",
  },
  {
    name: "a sentence that starts with export",
    text: "export of goods",
    places: ["7:1 mdx-esm"],
    fixed: " export of goods",
  },
  {
    name: "a value without quotes",
    text: `<Tool name=t description="d" timeout=5>${code}</Tool>`,
    places: ["7:12 mdx-tag", "7:38 mdx-tag"],
    fixed: `<Tool name="t" description="d" timeout="5">${code}</Tool>`,
  },
  {
    name: "a value without quotes at the end of a tag",
    text: `${tool}<Param name=x/>${code}</Tool>`,
    places: ["7:44 mdx-tag"],
    fixed: `${tool}<Param name="x"/>${code}</Tool>`,
  },
  {
    name: "a parameter that does not end",
    text: `${tool}\n<Param name="a">${code}</Tool>`,
    places: ["8:1 mdx-closing-tag"],
    fixed: `${tool}\n<Param name="a" />${code}</Tool>`,
  },
  {
    name: "a tool that does not end",
    text: `${tool}${code}\n## Next\n`,
    places: ["7:1 mdx-closing-tag"],
    fixed: `${tool}${code}</Tool>\n\n## Next\n`,
  },
  {
    name: "a tool that does not end before another",
    text: `${tool}${code}\n${toolWithCode("function execute() {}")}`,
    places: ["7:1 mdx-closing-tag"],
    fixed: `${tool}${code}</Tool>\n\n${toolWithCode("function execute() {}")}`,
  },
  {
    name: "a closing tag of a tool that is misspelled",
    text: `${tool}${code}</Tol>`,
    places: ["11:1 mdx-closing-tag"],
    fixed: `${tool}${code}</Tool>`,
  },
  { name: "a closing tag of a tool alone", text: `a\n\n</Tool>\n`, places: ["9:1 mdx-closing-tag"], fixed: "a\n\n\n" },
  {
    name: "a code fence that does not end",
    text: `${tool}\n\`\`\`ts\nfunction execute() {}\n\n</Tool>\n`,
    places: ["11:1 mdx-closing-tag"],
    fixed: `${tool}\n\`\`\`ts\nfunction execute() {}\n\n\`\`\`\n</Tool>\n`,
  },
  {
    name: "a tool within a line of text",
    text: `Text ${tool}${code}</Tool>`,
    places: ["7:6 mdx-closing-tag"],
    fixed: `Text \n\n${tool}${code}</Tool>`,
  },
];

describe("a fix repairs", () => {
  for (const { name, text, places, fixed } of rows) {
    test(name, async () => {
      const whole = agentText(text);
      const { diagnostics } = await parseAgentMdx(whole);
      expect(placesOf(diagnostics)).toEqual(places);
      expect(withFixes(whole, diagnostics)).toBe(agentText(fixed));
      expect((await parseAgentMdx(agentText(fixed))).diagnostics).toEqual([]);
    });

    test(`${name}, with CRLF and a byte-order mark`, async () => {
      const whole = `\uFEFF${agentText(text).replaceAll("\n", "\r\n")}`;
      const { diagnostics } = await parseAgentMdx(whole);
      expect(placesOf(diagnostics)).toEqual(places);
      expect((await parseAgentMdx(withFixes(whole, diagnostics))).diagnostics).toEqual([]);
    });
  }
});

test("a tag of prose within a tool costs the tool nothing", async () => {
  const { tools, diagnostics } = await parseAgentMdx(agentText(`${tool}${code}<a>\n</Tool>`));
  expect(placesOf(diagnostics)).toEqual(["11:1 mdx-closing-tag", "11:1 tool-content"]);
  expect(tools).toHaveLength(1);
});

test("all errors of a file are shown at once, beside those of its tools and settings", async () => {
  const text = `---\nnam: x\n---\n# Agent: A\n## Purpose\n<5 {x and\n\n<!-- c -->\n\n${tool}\n\`\`\`ts\n1 +;\n\`\`\`\n</Tool>\n\n<Tol />\n`;
  const { diagnostics } = await parseAgentMdx(text);
  expect(placesOf(diagnostics)).toEqual([
    "2:1 setting-unknown",
    "6:1 mdx-tag",
    "6:4 mdx-expression",
    "8:1 mdx-comment",
    "12:4 tool-code-syntax",
    "16:1 mdx-unknown-component",
  ]);
});

describe("a broken tag of a component is told without a chain of further errors", () => {
  const broken: readonly [string, string, readonly string[]][] = [
    [
      "a dot among the attributes",
      `<Tool name="a<b" . description="d">\n<Param name="x" />${code}</Tool>`,
      ["7:18 mdx-tag"],
    ],
    ["a quote that is not closed", `<Tool name="t description="d">${code}</Tool>`, ["7:29 mdx-tag"]],
    ["an attribute's expression", `<Tool name="t" description={a b}>${code}</Tool>`, ["7:28 mdx-expression"]],
    ["a brace in the name of an attribute", `<Tool n{ame="t" description="d">${code}</Tool>`, ["7:8 mdx-tag"]],
    [
      "an empty expression",
      `<Tool name="t" description="d" timeout={}>${code}</Tool>`,
      ["7:32 tool-timeout", "7:40 mdx-expression"],
    ],
  ];
  for (const [name, text, places] of broken) {
    test(name, async () => expect(placesOf((await parseAgentMdx(agentText(text))).diagnostics)).toEqual(places));
  }

  test("code in an export", async () => {
    const { diagnostics } = await parseAgentMdx(agentText("export const a = {b: ;}\n\n{a} <Thing />\n"));
    expect(placesOf(diagnostics)).toEqual(["7:22 mdx-esm"]);
    expect(diagnostics[0]?.message).toContain("Unexpected token");
  });
});

test("a thousand errors that one escape fixes each are found at once", async () => {
  const { diagnostics } = await parseAgentMdx(agentText("a <5 `b` { <br> </i>\n\n".repeat(250)));
  expect(diagnostics).toHaveLength(1_000);
  expect(diagnostics.at(-1)?.hint).not.toContain("there may be more");
});

test("a thousand errors of which each may hide others end after a bounded number of readings and say that there may be more", async () => {
  const { diagnostics } = await parseAgentMdx(agentText("<!--\na\n-->\n\n".repeat(1_000)));
  expect(diagnostics.length).toBeGreaterThan(10);
  expect(diagnostics.length).toBeLessThanOrEqual(100);
  expect(diagnostics.at(-1)?.hint).toContain("there may be more");
});

describe("what only looks like an error, because of one before it, is none:", () => {
  const rows: readonly [name: string, text: string, places: readonly string[]][] = [
    ["braces in a comment", "<!-- {a b} <5 -->", ["7:1 mdx-comment"]],
    ["a fence in a comment", "<!--\n```\n-->\n\n```\n{a b}\n```", ["7:1 mdx-comment"]],
    ["a list in braces", "{ a b\n- ```\n  {b c}\n  ```\n}", ["7:1 mdx-expression"]],
    ["braces in an address", "<https://a.b/{c>", ["7:1 mdx-link"]],
    ["braces in braces", "{a {b c} {d e}}", ["7:1 mdx-expression"]],
    ["tags after a broken tool", `<Tool name="t" . description="d">${code}</Tool>\n\n</Tool>`, ["7:16 mdx-tag"]],
    ["tags in their own paragraphs", "<b>\n\na <i>b</i>\n\n</b>", []],
  ];
  test.each(rows)("%s", async (_name, text, places) => {
    const { diagnostics } = await parseAgentMdx(agentText(text));
    expect(placesOf(diagnostics).filter((place) => !place.includes("code-fence"))).toEqual([...places]);
  });
});

test("frontmatter that is not closed, or not first, is told", async () => {
  const unclosed = await parseAgentMdx("---\nname: a\n\n# Agent: A\n## Purpose\nx");
  expect(placesOf(unclosed.diagnostics)).toContain("1:1 frontmatter-place");
  const late = "\n\n---\nname: a\n---\n# Agent: A\n## Purpose\nx";
  const { diagnostics } = await parseAgentMdx(late);
  expect(placesOf(diagnostics)).toContain("3:1 frontmatter-place");
  expect((await parseAgentMdx(withFixes(late, diagnostics))).settings).toEqual({ name: "a" });
});

test("a code block that is not closed at the end of the file is warned of", async () => {
  expect(placesOf((await parseAgentMdx(agentText("```sh\nls\n"))).diagnostics)).toEqual(["7:1 code-fence-unclosed"]);
  expect(placesOf((await parseAgentMdx(agentText("````\n```\nx\n````\n"))).diagnostics)).toEqual([]);
});

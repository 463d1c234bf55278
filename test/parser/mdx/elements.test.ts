import { describe, expect, test } from "bun:test";
import { agentText, toolWithCode } from "../../support/agent-text.ts";
import { placesOf, withFixes } from "../../support/diagnostic-places.ts";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";

const code = 'function execute() { return ""; }';
const tool = toolWithCode(code);
const indented = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);

describe("a tool is read, however its lines are indented, and wherever it stands:", () => {
  const rows: readonly [name: string, text: string][] = [
    ["by four blanks", indented(tool, "    ")],
    ["by tabs", indented(tool, "\t\t")],
    ["its parameters by eight blanks", tool.replace("<Param", "        <Param")],
    ["its parameters by tabs after a blank line", tool.replace("  <Param", "\n\t\t<Param")],
    ["its fence by six blanks", tool.replace(/```ts\n[\s\S]*```/, (fence) => indented(fence, "      "))],
    ["in a list item", `- a\n\n${indented(tool, "  ")}\n- b`],
    ["as a list item", `- ${indented(tool, "  ").trim()}\n- b`],
    ["in a quote", tool.replace(/^/gm, "> ")],
    ["between lines of text", `a\n${tool}\nb`],
    ["after a comment on its line", `{/* a */} ${tool}`],
    ["before a comment on its line", tool.replace(">\n", "> {/* a */}\n")],
    ["between HTML, with blank lines", `<div>\n\n${tool}\n</div>`],
    ["with comments in it", tool.replace("  <Param", "<!-- a -->\n{/* <Param name='b' /> */}\n  <Param")],
    ["with attributes over many lines", tool.replace(/ (?=name=|description=)/g, "\n    ")],
    [
      "with quotes of the other kind and braces",
      tool.replace('name="probe"', "name='probe'").replace('"Probes"', '{"Probes"}'),
    ],
  ];
  for (const [name, text] of rows) {
    for (const [form, variant] of [
      ["", (written: string) => written],
      [", with CRLF and a byte-order mark", (written: string) => `\uFEFF${written.replaceAll("\n", "\r\n")}`],
    ] as const) {
      test(`${name}${form}`, async () => {
        const { tools, diagnostics, kind } = await parseAgentMdx(variant(agentText(`${text}\n`)));
        expect(diagnostics).toStrictEqual([]);
        expect(kind).toBe("markdown");
        expect(
          tools.map(({ name, parameters }) => [name, parameters.map((parameter) => parameter.name)]),
        ).toStrictEqual([["probe", ["city"]]]);
        expect(tools[0]?.code.text).toBe(code);
      });
    }
  }

  test("on one line", async () => {
    const text = '<Tool name="a" description="b" src="./a.ts"> <Param name="c" min={1} type="integer" /> </Tool>';
    const { tools, diagnostics } = await parseAgentMdx(agentText(text));
    expect(diagnostics).toStrictEqual([]);
    expect(tools).toMatchObject([{ name: "a", parameters: [{ name: "c", minimum: 1 }], code: { file: "a.ts" } }]);
  });
});

describe("no tool, and no mistake, is what only looks like one:", () => {
  const rows: readonly [name: string, text: string][] = [
    ["in a fence", `\`\`\`\`md\n${tool}\`\`\`\``],
    ["in a fence of tildes in a list", `- a\n\n  ~~~\n${indented(tool, "  ")}  ~~~`],
    ["in an indented fence", indented(`\`\`\`\`\n${tool}\`\`\`\``, "   ")],
    ["in a code span", "`<Tool name=` and `</Tool>`"],
    ["other names", "<Toolbox> <tool> <Tool.Part> <tools name='a'> </tool> <ToolBox />"],
    ["a type", "Array<Tool> and Map<string, Param>"],
    ["escaped", "\\<Tool> \\</Tool>"],
    ["in `<pre>`", "<pre>\n<Tool>\n</pre>"],
    ["in an attribute of HTML", '<a title="<Tool>">x</a>'],
  ];
  test.each(rows)("%s", async (_name, text) => {
    const { tools, diagnostics, identity } = await parseAgentMdx(agentText(text));
    expect([tools, diagnostics]).toStrictEqual([[], []]);
    expect(identity.prose).toEndWith(text);
  });

  test.each([
    ["a comment of HTML", `<!--\n${tool}-->`],
    ["a comment of MDX", `{/*\n${tool}*/}`],
  ])("in %s, which no model receives", async (_name, text) => {
    const { tools, diagnostics, identity } = await parseAgentMdx(agentText(text));
    expect([tools, diagnostics]).toStrictEqual([[], []]);
    expect(identity.prose).toBe(agentText("").trim());
  });
});

describe("each mistake is one error at its place, with what to write:", () => {
  const open = '<Tool name="t" description="d">';
  const fence = `\n\`\`\`ts\n${code}\n\`\`\`\n`;
  const rows: readonly [name: string, text: string, places: readonly string[], fixed?: string][] = [
    ["never closed", `${open}${fence}\n## Next\n`, ["7:1 element-closing-tag"], `${open}${fence}</Tool>\n\n## Next\n`],
    [
      "never closed before another",
      `${open}${fence}\n${tool}`,
      ["7:1 element-closing-tag"],
      `${open}${fence}</Tool>\n\n${tool}`,
    ],
    ["closed twice", `${open}${fence}</Tool>\n</Tool>\n`, ["12:1 element-closing-tag"], `${open}${fence}</Tool>\n\n`],
    ["closed in another list item", `- ${open}\n- </Tool>`, ["7:3 element-closing-tag"]],
    ["crosswise", `${open}${fence}<Example>\n</Tool>\n</Example>`, ["11:1 element-closing-tag"]],
    ["misspelled closing", `${open}${fence}</Tol>`, ["11:1 element-closing-tag"], `${open}${fence}</Tool>`],
    ["a parameter outside", '<Param name="a" />', ["7:1 element-place"]],
    ["an example outside", "<Example>\n</Example>", ["7:1 element-place"]],
    ["a second code block", `${open}${fence}${fence}</Tool>`, ["12:1 tool-code-duplicate"]],
    [
      "in HTML",
      `<div>\n${open}${fence}</Tool>\n</div>`,
      ["8:1 element-in-html"],
      `<div>\n\n${open}${fence}</Tool>\n</div>`,
    ],
    ["within a line", `Text ${open}${fence}</Tool>`, ["7:6 element-closing-tag"], `Text \n\n${open}${fence}</Tool>`],
    ["only named", "Write <Tool> here.", ["7:7 element-closing-tag"]],
    [
      "a parameter without its slash",
      `${open}\n<Param name="a">${fence}</Tool>`,
      ["8:1 element-closing-tag"],
      `${open}\n<Param name="a" />${fence}</Tool>`,
    ],
    [
      "typographic quotes",
      `<Tool name=“t” description="d">${fence}</Tool>`,
      ["7:12 element-tag"],
      `${open}${fence}</Tool>`,
    ],
    ["no quotes", `<Tool name=t description="d">${fence}</Tool>`, ["7:12 element-tag"], `${open}${fence}</Tool>`],
    [
      "a quote that is not closed",
      `<Tool name="t" description="d>${fence}</Tool>`,
      ["7:28 element-tag"],
      `${open}${fence}</Tool>`,
    ],
    [
      "quotes within a value",
      `<Tool name="t" description="say "d" and go">${fence}</Tool>`,
      ["7:33 element-tag"],
      `<Tool name="t" description='say "d" and go'>${fence}</Tool>`,
    ],
    [
      "quotes at the end of a value",
      `<Tool name="t" description="say "d"">${fence}</Tool>`,
      ["7:33 element-tag"],
      `<Tool name="t" description='say "d"'>${fence}</Tool>`,
    ],
    [
      "an apostrophe within a value",
      `<Tool description='it's d' name="t">${fence}</Tool>`,
      ["7:22 element-tag"],
      `<Tool description="it's d" name="t">${fence}</Tool>`,
    ],
    [
      "both kinds of quotes within a value",
      `<Tool name="t" description="it's "d"" timeout="5">${fence}</Tool>`,
      ["7:34 element-tag"],
      `<Tool name="t" description="it's &quot;d&quot;" timeout="5">${fence}</Tool>`,
    ],
    ["a comma", `<Tool name="t", description="d">${fence}</Tool>`, ["7:15 element-tag"]],
    ["code in an attribute", `<Tool name="t" description={d}>${fence}</Tool>`, ["7:16 attribute-value"]],
    [
      "a text in other quotes in braces",
      `<Tool name="t" description={'d'}>${fence}</Tool>`,
      ["7:16 attribute-value"],
      `${open}${fence}</Tool>`,
    ],
    ["`<tool>` with a name and a description", '<tool name="a" description="b">\n\n</tool>', ["7:1 element-unknown"]],
    ["a comment of MDX that is not closed", "a\n\n{/* b\n\nc", ["9:1 comment-unclosed"]],
    ["a comment of HTML that is not closed", "a\n\n<!-- b\n\nc", ["9:1 comment-unclosed"]],
    ["a comment that a formatter changed", "{/_ b\nc _/}", ["7:1 comment-unclosed"], "{/* b\nc */}"],
    [
      "comments that a formatter changed within lines",
      "- a {/_ b\n  c _/} d\n- e {/_ **f**\n  g _/}",
      ["7:5 comment-unclosed", "9:5 comment-unclosed"],
      "- a {/* b\n  c */} d\n- e {/* **f**\n  g */}",
    ],
    [
      "a comment of two paragraphs that a formatter changed",
      "{/\\* b\n\nc \\*/}",
      ["7:1 comment-unclosed"],
      "{/* b\n\nc */}",
    ],
    [
      "a comment with a star before each line that a formatter changed",
      "{/\\*\\*\n\n- b\n- c\n  \\*/}",
      ["7:1 comment-unclosed"],
      "{/*\n\n- b\n- c\n  */}",
    ],
  ];
  for (const [name, text, places, fixed] of rows) {
    test.each(["\n", "\r\n"])(`${name} (%j)`, async (newline) => {
      const whole = agentText(text).replaceAll("\n", newline);
      const { diagnostics } = await parseAgentMdx(whole);
      expect(placesOf(diagnostics)).toStrictEqual([...places]);
      expect(diagnostics[0]?.hint).not.toBeEmpty();
      if (fixed === undefined) expect(diagnostics[0]?.fix).toBeUndefined();
      else expect(withFixes(whole, diagnostics).replaceAll("\r\n", "\n")).toBe(agentText(fixed));
    });
  }

  test("mistakes of one file are shown together, beside those of its settings and tools", async () => {
    const text = `---\nnam: x\n---\n# Agent: A\n## Purpose\nP {/* x\n\n<!-- c -->\n\n${open}\n\`\`\`ts\n1 +;\n\`\`\`\n</Tool>\n\n</Tool>\n`;
    const { diagnostics } = await parseAgentMdx(text);
    expect(placesOf(diagnostics)).toStrictEqual([
      "2:1 setting-unknown",
      "6:3 comment-unclosed",
      "12:4 tool-code-syntax",
      "16:1 element-closing-tag",
    ]);
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

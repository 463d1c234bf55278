import { describe, expect, test } from "bun:test";
import { parseAgentMdx } from "@mdx-ai/parser/parse";
import { applyFixes } from "../../../packages/directory/src/fixing/apply-fixes.ts";
import { agentText } from "../../support/agent-text.ts";
import { placesOf, withFixes } from "../../support/diagnostic-places.ts";

const head = `import { items, Card } from "./data.ts"

export const city = "Vienna"

export const settings = { unit: "C" }

export const greet = (name) => "Hello " + name

`;

describe("braces are code where they use a name of the file, and where they hold a string or a comment", () => {
  const rows = [
    ...["{city}", "{items.map((item) => item.name)}", "{items.length * 2}", "{greet(city)}", "{settings.unit}"],
    ...["{Math.max(items.length, 1)}", "{JSON.stringify(items)}", "{new Date(city).getFullYear()}", "{[city, 1]}"],
    ...["{items.map(function each({ name = city, ...rest }) { const [a] = [name]; return a + rest.b; })}"],
    ...["{items.map((item) => <Card key={item.id}>{item.name}</Card>)}", "{<Card />}", "{await city}"],
    ...[
      `{city === undefined ? NaN : \`in \${city}\`}`,
      "{(() => { try { return city; } catch (error) { return error; } })()}",
    ],
    ...[
      '{"text"}',
      "{'{a}'}",
      "{`text`}",
      "{/* comment */}",
      "<Card title={1} {...settings} />",
      "<i title={2 + 2}>x</i>",
    ],
    ...["<Card>{(item) => <b>{item}</b>}</Card>", "<Card>\n\n{greet}\n\n</Card>", "<Card>{{ city }}</Card>"],
  ];
  test.each(rows)("%s", async (text) => {
    const { diagnostics, program } = await parseAgentMdx(
      agentText(`${head}It is ${text}.`.replace("It is <Card>\n", "<Card>\n").replace("</Card>.", "</Card>")),
    );
    expect(diagnostics).toStrictEqual([]);
    expect(program).toBeDefined();
  });
});

describe("braces that nobody meant as code are an error at their place, and the fix gives the model what was written", () => {
  const rows = [
    ...[
      "{}",
      "{ }",
      "{1}",
      "{-1}",
      "{3.14}",
      "{true}",
      "{null}",
      "{undefined}",
      "{[1, 2]}",
      "{1 + 1}",
      "{/a+/g}",
      `{\`\${1}\`}`,
    ],
    ...[
      "{props.user}",
      "{props}",
      "{a, b}",
      "{Date}",
      "{YYYY-MM-DD}",
      "{result['x']}",
      "{X.XX}",
      "{Math.PI}",
      "{process.env.X}",
    ],
    ...[
      "{new Date().getFullYear()}",
      "{() => 1}",
      "{x => x}",
      "{this.x}",
      "{a = 1}",
      "{import.meta.url}",
      "{<b>x</b>}",
    ],
    ...["{name}", "{{name}}", "{{ user.name }}", "{{{raw}}}", "{{a: {b: 1}}}", "{first name}", "{% if %}", "{...rest}"],
    ...['{"a": {"b": [1, {"c": 2}]}}', "{ x | x > 0 }", "{{ city }}", "{city, items}", "{() => city}", "{city = 1}"],
    ...["^\\d{3}-\\d{4}$", "![a {b} c](d.png)", "\\\\{x}", "{function}", "{a: `b {c}`}", "{<Card>}"],
  ];
  for (const [place, wrap] of [
    ["a line", (text: string) => `is ${text} so`],
    ["a list item", (text: string) => `- is ${text} so\n  - is ${text} so`],
    ["a table", (text: string) => `| a | b |\n| - | - |\n| is ${text} so | c |`],
    ["a quote", (text: string) => `> **is ${text} so**`],
    ["a deeper heading", (text: string) => `### is ${text} so`],
  ] as const) {
    test.each(rows)(`in ${place}: %s`, async (text) => {
      const written = wrap(text);
      const agent = agentText(`${head}## Notes\n\n${written}\n`);
      const { diagnostics } = await parseAgentMdx(agent);
      expect(diagnostics[0]).toMatchObject({
        severity: "error",
        line: agent.slice(0, agent.indexOf("is ")).split("\n").length,
      });
      expect(diagnostics.filter(({ fix }) => fix === undefined)).toStrictEqual([]);
      let fixed = withFixes(agent, diagnostics);
      for (let round = 0; round < 3; round++) fixed = withFixes(fixed, (await parseAgentMdx(fixed)).diagnostics);
      const after = await parseAgentMdx(fixed);
      expect(after.diagnostics).toStrictEqual([]);
      expect(after.identity.sections).toStrictEqual([{ title: "Notes", body: written }]);
    });
  }
});

describe("code that is known to fail is an error at its place, for the author to correct", () => {
  const rows: readonly [text: string, place: string, message: string, hint: string][] = [
    [
      "{greet(customer)}",
      "15:7 mdx-unknown-name",
      "unexpected name `customer` in `{greet(customer)}`",
      "import or export the name",
    ],
    ["{items.map((item) => itm.name)}", "15:7 mdx-unknown-name", "unexpected name `itm`", "import or export the name"],
    ["{city + props.user}", "15:7 mdx-unknown-name", "unexpected name `props`", "import or export the name"],
    ["{items.map((item) => <Crad />)}", "15:7 mdx-unknown-name", "unexpected name `Crad`", "did you mean `Card`?"],
    ["{cty}", "15:7 mdx-unknown-name", "unexpected `{cty}`", "did you mean `city`?"],
    ["{settings}", "15:7 mdx-expression", "unexpected `{settings}`, an object", "write `{settings.…}`"],
    ["{greet}", "15:7 mdx-expression", "unexpected `{greet}`, a function", "write `{greet(…)}`"],
    [
      "<Card title={customer} />",
      "15:13 mdx-unknown-name",
      "name `customer` in an attribute of `<Card>`",
      "import or export",
    ],
    ["<Card {...props} />", "15:13 mdx-unknown-name", "name `props` in an attribute of `<Card>`", "import or export"],
  ];
  test.each(rows)("%s", async (text, place, message, hint) => {
    const { diagnostics } = await parseAgentMdx(agentText(`${head}It is ${text}.`));
    expect(placesOf(diagnostics)).toStrictEqual([place]);
    expect(diagnostics[0]?.message).toContain(message);
    expect(diagnostics[0]?.hint).toContain(hint);
    expect(diagnostics[0]?.fix).toBeUndefined();
  });
});

test("a tag of text with an attribute that uses an unknown name is escaped as text", async () => {
  const findMistakes = async (text: string) => (await parseAgentMdx(text)).diagnostics;
  const { text } = await applyFixes(agentText("See <a href={url}>here {x}</a>.\n"), findMistakes);
  expect(text).toContain("See \\<a href=\\{url}>here \\{x}\\</a>.");
  expect((await parseAgentMdx(text)).diagnostics).toStrictEqual([]);
});

describe("the escapes that MDX asks for are for the file alone:", () => {
  const rows: readonly [name: string, written: string, received: string][] = [
    ["a brace", "a \\{b\\} c", "a {b} c"],
    ["a tag", "a \\<b> \\<5 \\</c>", "a <b> <5 </c>"],
    [
      "in emphasis, links and images",
      '**\\{a}** [\\<b](c\\{d} "\\{e}") ![\\{f}](g)',
      '**{a}** [<b](c{d} "{e}") ![{f}](g)',
    ],
    ["in lists and quotes", "- \\{a}\n  - \\<b\n\n> \\{c}\n> \\<d", "- {a}\n  - <b\n\n> {c}\n> <d"],
    ["in tables", "| \\{a} |\n| - |\n| \\<b |", "| {a} |\n| - |\n| <b |"],
    ["before code", "\\{`a`} \\<`b`", "{`a`} <`b`"],
    ["in deeper headings", "### \\{a} \\<b", "### {a} <b"],
    ["at the start of an indented paragraph after a comment", "- a\n\n  {/* c */}\n\n  \\{b}", "- a\n\n  {b}"],
    ["not in code spans", "`\\{a} \\<b`", "`\\{a} \\<b`"],
    ["not in fences", "```js {1} \\{\n\\{a} \\<b\n```", "```js {1} \\{\n\\{a} \\<b\n```"],
    ["not after an escaped backslash", "a \\\\\\{ b", "a \\\\{ b"],
    ["no other escape", "\\*a\\* \\_b\\_ \\# \\> \\`", "\\*a\\* \\_b\\_ \\# \\> \\`"],
  ];
  test.each(rows)("%s", async (_name, written, received) => {
    const { identity, diagnostics, program } = await parseAgentMdx(agentText(`## Notes \\{a} \\<b\n\n${written}\n`));
    expect(diagnostics).toStrictEqual([]);
    expect(program).toBeUndefined();
    expect(identity.sections).toStrictEqual([{ title: "Notes {a} <b", body: received }]);
  });

  test("the items of lists too", async () => {
    const text = "# Agent: \\{A\n\n## Purpose\n\n\\<p\n\n## Capabilities\n\n- \\{a}\n- \\<b\n  \\{c}\n";
    const { identity } = await parseAgentMdx(text);
    expect(identity).toMatchObject({ name: "{A", purpose: "<p", capabilities: ["{a}", "<b\n  {c}"] });
  });
});

import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { parseIdentity } from "@mdx-ai/parser/parse";
import { RenderError } from "@mdx-ai/tools";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";
import { openToolBench, type ToolBench } from "../../support/tool-bench.ts";

/** Renders an agent.mdx whose head is given and whose files lie beside it. */
async function rendered(bench: ToolBench, body: string): Promise<string> {
  const { program, diagnostics } = await parseAgentMdx(
    `${body}\n\nexport const two = 2\n\n## Purpose\n\nTo test {two}.\n`,
  );
  if (program === undefined) throw new Error(JSON.stringify(diagnostics));
  const markdown = await bench.host.render(program);
  return markdown.replace("\n\n## Purpose\n\nTo test 2.\n", "");
}

const CASES: readonly (readonly [string, string, string])[] = [
  ["headings and expressions", "export const name = 'Bo'\n\n# Agent: {name}\n\n## Rules", "# Agent: Bo\n\n## Rules"],
  [
    "emphasis, code and links",
    "_a_ **b** `c` [d](https://e.at 'f') ![g](h.png)",
    '*a* **b** `c` [d](https://e.at "f") ![g](h.png)',
  ],
  ["lists", "- a\n- b\n  - c\n\n3. d\n4. e", "- a\n- b\n  - c\n\n3. d\n4. e"],
  ["lists that are computed", "<ul>{['a', 'b'].slice(two - 2).map((item) => <li>{item}</li>)}</ul>", "- a\n- b"],
  ["code with its language", "```ts\nconst a = <b>{c}</b>;\n```", "```ts\nconst a = <b>{c}</b>;\n```"],
  ["quotes, rules and breaks", "> a\n\n---\n\nb\\\nc", "> a\n\n---\n\nb\\\nc"],
  ["lines as they are broken", "one\ntwo {two + 1}\nfour", "one\ntwo 3\nfour"],
  ["text that looks like Markdown as text", "{'**a**'} and {'# b'}", "\\*\\*a\\*\\* and # b"],
  ["what is nothing as nothing", "a{two && null}{two ? undefined : 1}{two === 1}{''}{/* comment */}b", "ab"],
  ["numbers and lists", "a{two - 1}{[two, [3]]}{BigInt(two) ** 2n}", "a1234"],
  ["strikethrough", "a <del>b</del>", "a ~~b~~"],
  [
    "components of the file",
    "export const Rule = ({ id, children }) => <p><b>{id}</b>: {children}</p>\n\n<Rule id='R1'>Be kind.</Rule>",
    "**R1**: Be kind.",
  ],
  [
    "components with Markdown inside",
    "export const Box = (props) => <blockquote>{props.children}</blockquote>\n\n<Box>\n\n- a\n- **b**\n\n</Box>",
    "> - a\n> - **b**",
  ],
  [
    "components that wait",
    "export const Late = async () => { await new Promise((done) => setTimeout(done, 1)); return <b>late</b> }\n\n<Late />",
    "**late**",
  ],
  ["fragments", "<>a <>b</></>", "a b"],
  [
    "tables",
    "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1 | 2</td><td><b>c</b></td></tr></tbody></table>",
    "| a | b |\n| --- | --- |\n| 1 \\| 2 | **c** |",
  ],
  [
    "tags that HTML does not know, with their tags",
    '<rules level="3" strict>\n\n- a {two - 1}\n\n</rules>',
    '<rules level="3" strict>\n\n- a 1\n\n</rules>',
  ],
  ["such tags within a line", "a <x>b</x> <y /> c", "a <x>b</x> <y /> c"],
];

describe("a document is rendered to Markdown:", () => {
  test.concurrent.each(CASES)("%s", async (_name, body, markdown) => {
    await using bench = openToolBench();
    expect(await rendered(bench, body)).toBe(markdown);
  });

  test("with imported components, data and packages", async () => {
    await using bench = openToolBench();
    writeFileSync(
      join(bench.directory, "city.tsx"),
      "export const City = ({ name }: { name: string }) => <><b>{name}</b>!</>;",
    );
    writeFileSync(join(bench.directory, "data.json"), '{"city":"Vienna"}');
    const head = 'import { City } from "./city.tsx"\nimport data from "./data.json"\n\n';
    expect(await rendered(bench, `${head}In <City name={data.city} />.`)).toBe("In **Vienna**!.");
  });

  test("and its escapes do not reach the model", async () => {
    await using bench = openToolBench();
    const body = "# Agent: A\n\n- \\{a} \\<b> {two} `\\{c`\n- \\*d\\* ^\\d\\{3}$";
    const { introduction } = parseIdentity(await rendered(bench, body));
    expect(introduction).toBe("- {a} <b> 2 `\\{c`\n- \\*d\\* ^\\d{3}$");
  });

  test("the same each time", async () => {
    await using bench = openToolBench();
    const body = "export const n = 3\n\n# Agent: A\n\n<ul>{Array.from({ length: n }, (_, i) => <li>{i}</li>)}</ul>";
    expect(await rendered(bench, body)).toBe(await rendered(bench, body));
  });

  test("without a limit of length", async () => {
    await using bench = openToolBench();
    expect((await rendered(bench, "{'x'.repeat(two * 50_000)}")).length).toBe(100_000);
  });

  test("without tools and frontmatter", async () => {
    await using bench = openToolBench();
    const tool = '<Tool name="t" description="T">\n\n```ts\nfunction execute() {}\n```\n\n</Tool>';
    expect(await rendered(bench, `---\nname: A\n---\n\n# Agent: A\n\n${tool}\n\nend`)).toBe("# Agent: A\n\nend");
  });
});

describe("a document that", () => {
  test.concurrent.each([
    ["uses what is not there", "{two.missing.name}", "undefined is not an object"],
    ["uses an unknown component", "<Nothing />", "Nothing"],
    ["shows an object", "{[{ a: two }]}", "unexpected an object with the keys a"],
    ["shows a function", "{[() => two]}", "unexpected a function"],
    ["calls itself without end", "export const Again = () => <Again />\n\n<Again />", "nested endlessly"],
    ["imports nothing", "import a from './nothing.ts'\n\n{a}", 'cannot find "./nothing.ts"'],
    ["throws at the top", "export const a = (() => { throw new Error('top') })()", "top"],
    ["ends the process", "{process.exit(two - 1)}", "process.exit(1) was called"],
  ])("%s is an error", async (_name, body, text) => {
    await using bench = openToolBench();
    const failure = rendered(bench, body);
    expect(failure).rejects.toThrow(text);
    expect(failure).rejects.toBeInstanceOf(RenderError);
    await failure.catch(() => {});
  });

  test("fails in an imported component names the place there", async () => {
    await using bench = openToolBench();
    writeFileSync(
      join(bench.directory, "city.tsx"),
      'export const City = () => {\n  throw new Error("no city");\n};\n',
    );
    expect(rendered(bench, 'import { City } from "./city.tsx"\n\n<City />')).rejects.toThrow("no city (city.tsx:2:13)");
  });

  test.concurrent.each([
    ["an expression", "# Agent: A\n\nText {two} and {two./*HERE*/missing.name}."],
    ["a component of the file", "export const Bad = () => { throw new /*HERE*/Error('x') }\n\n<Bad />"],
    ["an import", "import a from /*HERE*/'./nothing.ts'\n\n{a}"],
  ])("fails in %s names the place in agent.mdx", async (_name, body) => {
    await using bench = openToolBench();
    const before = body.slice(0, body.indexOf("/*HERE*/") + "/*HERE*/".length).split("\n");
    const place = `agent.mdx:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
    expect(rendered(bench, body)).rejects.toThrow(`(${place})`);
  });
});

import { describe, expect, test } from "bun:test";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { agentText, toolWithCode } from "../../support/agent-text.ts";
import { placesOf } from "../../support/diagnostic-places.ts";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

describe("a file with a statement is compiled, with", () => {
  const rows: readonly [string, string][] = [
    ["an import", 'import { name } from "./data.ts"\n\nHello'],
    ["an export", "export const a = 1\n\nHello"],
    ["an expression on its own lines", "export const a = 1\n\n{a + 1}"],
    ["an expression in a line", "export const time = 0\n\nIt is {new Date(time).getUTCFullYear()}."],
    ["a string", "export const a = 1\n\nIt is {'**so**'}, {3}, {`so`}."],
    ["a component", "export const Card = (props) => <b>{props.children}</b>\n\n<Card>x</Card>"],
    ["a plain tag with an expression", "export {}\n\n<div title={1 + 1}>x</div>"],
    ["a fragment", "export {}\n\n<>\nx\n</>"],
  ];
  for (const [name, text] of rows) {
    test(name, async () => {
      const { program, diagnostics, kind } = await parseAgentMdx(agentText(text));
      expect(diagnostics).toEqual([]);
      expect(kind).toBe("mdx");
      expect(program).toContain("export default function MDXContent(");
    });
  }
});

test("comments alone make no file dynamic", async () => {
  const { program, diagnostics } = await parseAgentMdx(agentText("{/* a */}\n\nb {/* c */} d"));
  expect(diagnostics).toEqual([]);
  expect(program).toBeUndefined();
});

test("a program imports its runtime from mdx-ai and holds neither tools nor frontmatter", async () => {
  const text = `---\nname: Secret\n---\n${agentText(`export {};\n\n{"text"}\n\n${toolWithCode("function execute() { return 'hidden'; }")}`)}`;
  const { program, tools } = await parseAgentMdx(text);
  expect(program).toContain('from "mdx-ai/jsx-runtime"');
  expect(program).not.toContain("Tool");
  expect(program).not.toContain("Param");
  expect(program).not.toContain("hidden");
  expect(program).not.toContain("Secret");
  expect(tools).toHaveLength(1);
});

test("the elements of MDX are those of Markdown, also after a mistake of the prose", async () => {
  const element = '<Agent name="helper" src="helper.md" description="Helps" />';
  for (const [prose, rules] of [
    ["It is {a}.", []],
    ["It is {a.", ["mdx-syntax"]],
  ] as const) {
    const { agents, diagnostics, program } = await parseAgentMdx(
      agentText(`export const a = 1\n\n${prose}\n\n${element}`),
    );
    expect(agents).toMatchObject([{ name: "helper", src: "helper.md" }]);
    expect(diagnostics.map(({ rule }) => rule)).toEqual([...rules]);
    expect(program?.includes("helper") ?? false).toBe(false);
  }
});

test("an attribute takes an expression whose value is known without running code", async () => {
  const param = '<Param name="c" type="number" min={-1_0} max={0x10} default={+1} />';
  const tool = `<Tool name={'a'} description={\`b\`}>\n${param}\n\n\`\`\`ts\nfunction execute() {}\n\`\`\`\n</Tool>`;
  const { tools, diagnostics } = await parseAgentMdx(agentText(`export {};\n\n${tool}`));
  expect(tools).toMatchObject([{ name: "a", description: "b", parameters: [{ minimum: -10, maximum: 16 }] }]);
  expect(diagnostics.map(({ message }) => message)).toStrictEqual([
    "unexpected `{+1}` as the value of `default`, expected JSON in braces or a text in quotes",
  ]);
});

const runtime = `export const Fragment = "fragment";
export const jsx = (type, props) => (typeof type === "function" ? type(props) : [props.children].flat(9).join(""));
export const jsxs = jsx;
`;

test("a program runs with a runtime that the host provides", async () => {
  using directory = temporaryDirectory();
  const text = agentText(
    "export const a = [1, 2]\n\nexport const Sum = ({ of }) => <b>{of[0] + of[1]}</b>\n\nIs <Sum of={a} />.\n",
  );
  const { program = "" } = await parseAgentMdx(text);
  await Bun.write(join(directory.path, "runtime.js"), runtime);
  await Bun.write(join(directory.path, "program.js"), program.replace("mdx-ai/jsx-runtime", "./runtime.js"));
  const module: unknown = await import(join(directory.path, "program.js"));
  const render = typeof module === "object" && module !== null && "default" in module ? module.default : undefined;
  expect(typeof render === "function" ? render({}) : "").toContain("Is 3.");
});

test("the identity of a dynamic file is what can be said without running it", async () => {
  const text = "export const who = 'you'\n\n# Agent: A\n\n## Purpose\n\nHelp {who}.\n";
  const { identity } = await parseAgentMdx(text);
  expect(identity).toMatchObject({ name: "A", introduction: "", purpose: "Help {who}." });
});

test("a name that must be computed is taken from the frontmatter until then", async () => {
  const text = "export const who = 'Ada'\n\n# Agent: {who} {/* note */}\n\n## Purpose {/* note */}\n\nHelp.\n";
  const { identity, diagnostics } = await parseAgentMdx(text);
  expect(diagnostics).toEqual([]);
  expect(identity).toMatchObject({ name: "UnnamedAgent", purpose: "Help." });
  expect((await parseAgentMdx(`---\nname: Given\n---\n${text}`)).identity.name).toBe("Given");
});

test("the last line of a program is a source map to the document", async () => {
  const text = agentText("Some text.\n\nIs {known.value}.\n\nexport const known = []\n");
  const { program = "" } = await parseAgentMdx(text);
  const [, encoded = ""] = /\n\/\/# sourceMappingURL=data:application\/json;base64,(\S+)$/.exec(program) ?? [];
  const map = new SourceMap(JSON.parse(Buffer.from(encoded, "base64").toString()));
  const lines = program.split("\n");
  const line = lines.findIndex((one) => one.includes("known.value"));
  const entry = map.findEntry(line, lines[line]?.indexOf("known.value") ?? 0);
  expect(entry).toMatchObject({ originalSource: "agent.mdx", originalLine: 8, originalColumn: 4 });
});

test("a component may bring the purpose along", async () => {
  const { diagnostics } = await parseAgentMdx('import Shared from "./shared.mdx"\n\n# Agent: A\n\n<Shared />\n');
  expect(diagnostics).toEqual([]);
});

describe("a file is Markdown, and what looks like code in it is text:", () => {
  const rows: readonly [name: string, text: string, rules: readonly string[]][] = [
    ["a component", "<Card title={1}>x</Card>", []],
    ["braces", "{city} {3} {'a'}", []],
    ["a statement in a fence", "```js\nimport a from 'b'\n```", []],
    ["a statement in a quote", "> import a from 'b'", []],
    ["a statement in a list item", "- a\n\n  import a from 'b'", []],
    ["a statement in a comment", "<!--\nimport a from 'b'\n-->", []],
    ["a statement in a paragraph", "Write\nimport a from 'b'", []],
    ["sentences", "import your data.\n\nexport default values are used, and export all.", []],
    ["TypeScript", "export const a: string = ''", ["mdx-statement"]],
    ["half a statement", "import { a } from", ["mdx-statement"]],
  ];
  test.each(rows)("%s", async (_name, text, rules) => {
    const { diagnostics, kind, program, identity } = await parseAgentMdx(agentText(text));
    expect([kind, program, diagnostics.map(({ rule }) => rule)]).toStrictEqual(["markdown", undefined, [...rules]]);
    expect(identity.prose).toBe(
      agentText(text)
        .replace(/<!--[\s\S]*-->/, "")
        .trim(),
    );
  });
});

test("code that parses and yet does not compile is an error", async () => {
  const text = "export default function Layout() {}\n\nexport { default } from './other.mdx'\n";
  const { diagnostics, program } = await parseAgentMdx(agentText(text));
  expect(placesOf(diagnostics)).toEqual(["9:1 mdx-syntax"]);
  expect(program).toBeUndefined();
});

test.each([
  ["Say <Foo/>.", ["7:5 mdx-syntax"]],
  ["`<Foo/>` <Foobar/>\n\n<Foo>\nx\n</Foo>\n\n<Foo/>", ["7:10 mdx-syntax", "9:1 mdx-syntax"]],
  ["{[a].map((x) => <Foo key={x} />)}", ["7:17 mdx-syntax"]],
  ["<p title={<Foo/>}>x</p>", ["7:11 mdx-syntax"]],
])("a component that nothing declares is an error at its tag: %s", async (prose, places) => {
  const { diagnostics } = await parseAgentMdx(agentText(`export const a = 1\n\n${prose}`));
  expect(placesOf(diagnostics).map((place) => place.replace(/^\d+/, (line) => `${Number(line) - 2}`))).toEqual(places);
});

test.each([
  "export const Foo = () => 1\n\n<Foo/>",
  'import Foo, { Bar, a } from "./foo.ts"\n\n<Foo/> <Bar/> <a.B/>',
  "export function List({ of: Item }) { const B = Item; return <><Item/><B/></>; }\n\n<List of={() => 1} />",
  "export const a = { B: () => 1 }\n\n<a.B/>\n\n{[a.B].map((C) => <C/>)}\n\n{(() => { const D = a.B; return <D/>; })()}",
  "export class Foo {}\n\n<div><custom-tag/><>x</></div>\n\n<Foo/>",
  `export const a = 1\n\n${toolWithCode('export const execute = () => "<Foo/>";')}\n\n<Agent name="helper" src="helper.md" description="Helps" />`,
])("a component that is declared is none: %s", async (prose) => {
  const { diagnostics } = await parseAgentMdx(agentText(prose));
  expect(placesOf(diagnostics)).toEqual([]);
});

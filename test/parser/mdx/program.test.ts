import { describe, expect, test } from "bun:test";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { parseAgentMdx } from "@mdx-ai/parser/parse";
import { agentText, toolWithCode } from "../../support/agent-text.ts";
import { placesOf } from "../../support/diagnostic-places.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

describe("a file is compiled where it holds", () => {
  const rows: readonly [string, string][] = [
    ["an import", 'import { name } from "./data.ts"\n\nHello'],
    ["an export", "export const a = 1\n\nHello"],
    ["an expression on its own lines", "export const a = 1\n\n{a + 1}"],
    ["an expression in a line", "export const time = 0\n\nIt is {new Date(time).getUTCFullYear()}."],
    ["a string", "It is {'**so**'}."],
    ["a template without expressions", "It is {`so`}."],
    ["a component", "export const Card = (props) => <b>{props.children}</b>\n\n<Card>x</Card>"],
    ["a plain tag with an expression", "<div title={1 + 1}>x</div>"],
    ["a fragment", "<>\nx\n</>"],
  ];
  for (const [name, text] of rows) {
    test(name, async () => {
      const { program, diagnostics } = await parseAgentMdx(agentText(text));
      expect(diagnostics).toEqual([]);
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
  const text = `---\nname: Secret\n---\n${agentText(`{"text"}\n\n${toolWithCode("function execute() { return 'hidden'; }")}`)}`;
  const { program, tools } = await parseAgentMdx(text);
  expect(program).toContain('from "mdx-ai/jsx-runtime"');
  expect(program).not.toContain("Tool");
  expect(program).not.toContain("Param");
  expect(program).not.toContain("hidden");
  expect(program).not.toContain("Secret");
  expect(tools).toHaveLength(1);
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

describe("unknown components and names are errors at their place", () => {
  const rows: readonly [string, string, string, string][] = [
    ["a misspelled tool", '<Tol name="x" />', "7:1 mdx-unknown-component", "did you mean `<Tool>`?"],
    ["a misspelled parameter", '<Parm name="x" />', "7:1 mdx-unknown-component", "did you mean `<Param>`?"],
    ["a tool in small letters", '<tool name="x" />', "7:1 mdx-unknown-component", "did you mean `<Tool>`?"],
    [
      "a misspelled import",
      'import { Card } from "./c.tsx"\n\n<Crad />',
      "9:1 mdx-unknown-component",
      "did you mean `<Card>`?",
    ],
    [
      "a member of nothing",
      "<ui.Card />",
      "7:1 mdx-unknown-component",
      "import the component, or write `\\<` if it is not a tag",
    ],
    [
      "a member of nothing in braces",
      "- {lst.map(String).join()}",
      "7:3 mdx-unknown-name",
      "write `\\{` for the character itself",
    ],
    ["a name in braces", "export const city = 1\n\n{cty}", "9:1 mdx-unknown-name", "did you mean `city`?"],
  ];
  for (const [name, text, place, hint] of rows) {
    test(name, async () => {
      const { diagnostics } = await parseAgentMdx(agentText(text));
      expect(placesOf(diagnostics)).toEqual([place]);
      expect(diagnostics[0]?.hint).toBe(hint);
    });
  }

  test("all that a file imports and exports is known", async () => {
    const text = `import A, { B as C, D } from "./x.ts"
import * as E from "./y.ts"
export const { F, g: G = 1, ...H } = {}, [I] = []
export function J() {}
export class K {}

<A /><C /><D /><E.Deep.Part /><F /><G /><H /><I /><J /><K />

{A}{Math.max(C, D)}{process.env[D]}{[A].map(String)}{A.map((one) => one.name)}{<E.Part />}
`;
    expect((await parseAgentMdx(agentText(text))).diagnostics).toEqual([]);
  });
});

test("code that parses and yet does not compile is an error", async () => {
  const text = "export default function Layout() {}\n\nexport { default } from './other.mdx'\n";
  const { diagnostics, program } = await parseAgentMdx(agentText(text));
  expect(placesOf(diagnostics)).toEqual(["9:1 mdx-esm"]);
  expect(program).toBeUndefined();
});

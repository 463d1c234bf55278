import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { importAgent, makeDirectory } from "@mdx-ai/directory/importing";
import { type AgentDirectory, readAgentDirectory } from "@mdx-ai/parser";
import { writeFiles } from "../../support/agent-files.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../support/temporary-directory.ts";

/** The directory of an imported agent, read again, and what the import said. */
interface Import {
  readonly path: string;
  readonly directory: AgentDirectory;
  readonly notes: readonly string[];
  readonly agents: readonly string[];
}

async function imported(home: TemporaryDirectory, source: string): Promise<Import> {
  const path = join(home.path, "made");
  const { notes, agents } = await makeDirectory(path, importAgent(join(home.path, source)));
  const shown = notes.map(({ kind, file, line, text }) => `${kind} ${file.slice(home.path.length + 1)}:${line ?? ""} ${text}`);
  return { path, directory: await readAgentDirectory(path), notes: shown, agents };
}

const errorsOf = ({ diagnostics }: AgentDirectory): readonly string[] =>
  diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);

const PROMPTS: readonly (readonly [name: string, text: string])[] = [
  ["headings that are sections elsewhere", "# Purpose\n\nA.\n\n# Agent: Y\n\nTitle\n=====\n\n## Constraints\n\n* a\n+ b\n\n### **C** `d`"],
  ["braces", "Use {name}, {}, {a, b}, {{x}}, ^\\d{3}$, `{code}` and $\\frac{1}{2}$.\n\n{alone}\n\n    {indented}"],
  ["angle brackets", "a < b, <5, <!-- a comment -->, <https://x.test>, Promise<Item[]>, <a@b.test>, x <= y, <T>, <br>"],
  ["tags", "<example>\nuser: hi <b>x\n</example>\n\n<Tool name=\"x\">\n\n```ts\nrun()\n```\n\n</Tool>\n\n</div>\n\n<img src=x>"],
  ["code of many kinds", "```js\nconst a = {b: <c/>};\n```\n\n- item\n\n  ~~~\n  {x} <y\n  ~~~\n\n`` a ` {b} `` and `<c>` {d}\n\n> ```\n> {e}\n> ```"],
  ["a fence that is not closed", "Text {a}\n\n```json\n{\"a\": 1}\n\n<b>"],
  ["backticks without a partner", "a ` {b} and `` {c} ` <d>"],
  ["escapes that are there", "\\{a\\} \\\\{b} \\<c> \\`{d}\\` \\*e\\*"],
  ["other languages", "你是代码审查员：检查每一处《变更》。\n\nВы — рецензент. مرحبا 👩‍💻 {имя}"],
  ["tables and links", "| a | b |\n| --- | --- |\n| {x} | <y> |\n\n[l](<u v>) ![i](x.png) [r]: http://x"],
  ["rules and dashes", "a\n\n---\n\nb: c\n\n***\n\n- - x"],
];

describe("a prompt reaches the model as its file shows it", () => {
  test.each(PROMPTS)("%s", async (_name, text) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "p.md": `${text}\n` });
    const { directory, notes } = await imported(home, "p.md");
    expect(errorsOf(directory)).toEqual([]);
    expect(notes).toEqual([]);
    expect(directory.definition.identity).toMatchObject({ name: "p", introduction: text });
    expect(directory.definition.tools).toEqual([]);
    expect(directory.definition.program).toBeUndefined();
  });

  test("with its line ends, whatever their form, and without its byte-order mark", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "p.md": "\uFEFF---\r\nname: Win\r\n---\r\n\r\n# A {b}\r\n\r\ntext\r\n" });
    const { directory } = await imported(home, "p.md");
    expect(directory.definition.identity).toMatchObject({ name: "Win", introduction: "# A {b}\n\ntext" });
  });

  test("with 200 KB", async () => {
    using home = temporaryDirectory();
    const text = Array.from({ length: 2_000 }, (_, index) => `## Rule ${index}\n\nNever write {x${index}} <b>, as in \`{y}\`. ${"word ".repeat(11)}end`).join("\n\n");
    expect(text.length).toBeGreaterThan(200_000);
    writeFiles(home.path, { "p.md": text });
    const { directory, notes } = await imported(home, "p.md");
    expect(errorsOf(directory)).toEqual([]);
    expect(notes).toEqual([]);
    expect(directory.definition.identity.introduction === text).toBe(true);
  });

  test("with a blank before a line that would be code", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "p.md": 'export your findings\n\nimport x from "y"\n' });
    const { directory } = await imported(home, "p.md");
    expect(errorsOf(directory)).toEqual([]);
    expect(directory.definition.identity.introduction.replace(/^ /gm, "")).toBe('export your findings\n\nimport x from "y"');
  });
});

import { describe, expect, test } from "bun:test";
import { themeOf } from "../output/theme.ts";
import { CodeHighlighter, renderMarkdown } from "./view/render-markdown.ts";

const start = "\u001b";
const colours = themeOf({});
const plain = themeOf({ NO_COLOR: "1" });

async function highlighterOf(theme: typeof colours): Promise<CodeHighlighter> {
  const highlighter = new CodeHighlighter(theme);
  await highlighter.load();
  return highlighter;
}

async function drawn(markdown: string, theme = colours, columns = 80): Promise<readonly string[]> {
  return renderMarkdown(markdown, columns, { theme, highlighter: await highlighterOf(theme) });
}

const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

describe("code in an answer", () => {
  test.each([
    ["ts", "const a: string = `b`;", "const"],
    ["js", "return null;", "return"],
    ["json", '{"a": 1}', "1"],
    ["bash", "if true; then echo a; fi", "if"],
    ["python", "def f(): pass", "def"],
    ["go", "func main() {}", "func"],
    ["rust", "fn main() {}", "fn"],
    ["html", "<p>a</p>", "p"],
    ["html", "<script>return 1</script>", "return"],
    ["css", "a { color: red }", "color"],
    ["yaml", "a: true", "a:"],
    ["sql", "SELECT a FROM b", "SELECT"],
    ["diff", "+added", "+added"],
    ["markdown", "# Title", "# Title"],
    ["TSX", "import a from 'b'", "import"],
    ["mdx", "# Title", "# Title"],
  ])("is coloured in %s and stays the same text", async (language, code, word) => {
    const lines = await drawn(fenced(language, code));
    expect(Bun.stripANSI(lines.join("\n"))).toBe(code);
    expect(lines.join("\n")).toMatch(new RegExp(`${start}\\[\\d+m${word.replace(/[+.]/g, "\\$&")}`));
  });

  test("has no frame and no blanks around it in any theme, so that it can be copied", async () => {
    const code = 'first {\n\n  │ second & <third> "x"\n  └─\n+-\n| end';
    for (const theme of [colours, plain, themeOf({ LC_ALL: "C" })]) {
      for (const language of ["", "ts", "no-such-language"]) {
        const lines = await drawn(`Look:\n\n${fenced(language, code)}\n\nDone.`, theme);
        expect(Bun.stripANSI(lines.join("\n"))).toBe(`Look:\n\n${code}\n\nDone.`);
      }
    }
  });

  test("is followed by one blank line, also before a list", async () => {
    const plainLines = async (behind: string): Promise<readonly string[]> =>
      (await drawn(`${fenced("sh", "ls")}\n${behind}`, plain)).map((line) => line.trim());
    expect(await plainLines("- one")).toEqual(["ls", "", expect.stringContaining("one")]);
    expect(await plainLines("\nDone.")).toEqual(["ls", "", "Done."]);
  });

  test("keeps the margin of the list and of the quote that it is in", async () => {
    const list = await drawn("1. one\n   ```sh\n   ls\n   ```\n2. two", plain);
    expect(list.map((line) => line.trimEnd())).toEqual(["   1. one", "", "      ls", "   2. two"]);
    expect(await drawn("> ```sh\n> ls\n> ```", plain)).toEqual(["| ls"]);
  });

  test("a token over several lines is coloured in each of them, and no colour leaks", async () => {
    const lines = await drawn(fenced("ts", "/* one\ntwo */ x"));
    expect(lines).toEqual([colours.dim("/* one"), `${colours.dim("two */")} x`]);
  });

  test("that is nested as deep as it is long stays the same text", async () => {
    const deep = "${`".repeat(600);
    expect(Bun.stripANSI((await drawn(fenced("ts", deep), colours, 10_000)).join("\n"))).toBe(deep);
  });

  test("without colours the library is not loaded, and nothing is coloured", async () => {
    expect(new CodeHighlighter(plain).load()).toBeUndefined();
    expect(await drawn(fenced("ts", "const a = 1;"), plain)).toEqual(["const a = 1;"]);
  });

  test("is plain until the library is loaded", async () => {
    const highlighter = new CodeHighlighter(colours);
    const draw = () => renderMarkdown(fenced("ts", "const a = 1;"), 80, { theme: colours, highlighter });
    expect(draw()).toEqual(["const a = 1;"]);
    await highlighter.load();
    expect(highlighter.load()).toBeUndefined();
    expect(draw()).not.toEqual(["const a = 1;"]);
  });

  test("that still arrives is coloured line by line, but for the line that grows", async () => {
    const highlighter = await highlighterOf(colours);
    const lines = renderMarkdown("```ts\nreturn 1;\nreturn", 80, { theme: colours, highlighter, isOpen: true });
    expect(lines.map((line) => line.includes(start))).toEqual([true, false]);
    expect(lines.map(Bun.stripANSI)).toEqual(["return 1;", "return"]);
  });

  test("that is very long, or has a very long line, is shown without colours", async () => {
    const long = "return 1;\n".repeat(6_000).trimEnd();
    expect((await drawn(fenced("ts", long))).join("\n")).toBe(long);
    const wide = `return "${"x".repeat(3_000)}"`;
    expect((await drawn(fenced("ts", wide), colours, 10_000)).join("\n")).toBe(wide);
  });

  test.each([20, 80, 120, 200])("fits %d columns", async (columns) => {
    const code = `const name = "${"日本語 ".repeat(60)}"; // ${"wide ".repeat(60)}`;
    const lines = await drawn(`Text ${"word ".repeat(60)}\n\n${fenced("ts", code)}`, colours, columns);
    expect(Math.max(...lines.map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(columns);
    expect(lines.map((line) => Bun.stripANSI(line)).join("")).toContain("const name");
  });
});

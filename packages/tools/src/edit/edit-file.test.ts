import { describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executeTool, FileMemory } from "@mdx-ai/tools";
import { edit, failed } from "../../../../test/support/editing.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { textOf, toolContext } from "../../../../test/support/tool-context.ts";
import { editFileTool } from "./edit-file-tool.ts";

describe("edit_file", () => {
  test("replaces texts in order, each in the result of the former ones, and says which lines they are", async () => {
    const { now, text, details } = await edit(
      "one\ntwo\nthree\n",
      { old: "two", new: "2\n2b" },
      { old: "2b\nthree", new: "3" },
    );
    expect([now, text]).toEqual(["one\n2\n3\n", "edited DIR/a.txt: 2 replacements, now lines 2-3"]);
    expect(details).toEqual({ diff: "@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+3" });
  });

  test("replaces every occurrence with `all`", async () => {
    const { now, text } = await edit("a b a\nc\na\n", { old: "a", new: "aa", all: true });
    expect([now, text]).toEqual(["aa b aa\nc\naa\n", "edited DIR/a.txt: 3 replacements, now line 1, line 3"]);
  });

  test("removes lines", async () => {
    const { now, text, details } = await edit("a\nb\nc\n", { old: "b\n", new: "" });
    expect([now, text]).toEqual(["a\nc\n", "edited DIR/a.txt: 1 replacement, now removed before line 2"]);
    expect(details).toEqual({ diff: "@@ -1,3 +1,2 @@\n a\n-b\n c" });
  });

  test.each([
    ["CRLF", "a\r\nb\r\nc\r\n", { old: "a\nb", new: "x\ny\nz" }, "x\r\ny\r\nz\r\nc\r\n"],
    ["CRLF, one line", "a\r\nb\r\n", { old: "b", new: "x\ny" }, "a\r\nx\r\ny\r\n"],
    ["LF, though the edit has CRLF", "a\nb\nc", { old: "a\r\nb", new: "x\r\ny" }, "x\ny\nc"],
    ["both, in a part with the other one", "a\r\nb\nc\n", { old: "b\nc", new: "x\ny" }, "a\r\nx\ny\n"],
    [
      "a CRLF before a replaced line, in a file with both",
      "a\nb\r\nfoo\n",
      { old: "\nfoo", new: "\nbar" },
      "a\nb\r\nbar\n",
    ],
    ["a byte-order mark", "\uFEFFa\nb", { old: "a\n", new: "c\n" }, "\uFEFFc\nb"],
    ["no line end at the end", "a\nb", { old: "b", new: "c" }, "a\nc"],
    ["dollars in the new text", "a", { old: "a", new: "$& $1" }, "$& $1"],
  ])("keeps %s", async (_name, content, each, expected) => {
    expect(await edit(content, each)).toMatchObject({ now: expected, isError: false });
  });

  test("counts characters of several bytes, in exact and in tolerant matches", async () => {
    const { now, text, details } = await edit(
      "größe 😀 = 1\n  naïve(“x”);  \n日本\n",
      { old: "日本", new: "東京 🗼" },
      { old: "naïve(“x”);\n東京 🗼", new: "été(“y”);\n東京 🗼" },
      { old: "😀", new: "é" },
    );
    expect(now).toBe("größe é = 1\n  été(“y”);\n東京 🗼\n");
    expect(text).toContain("3 replacements, now lines 1-3\nEdit 2 matched only without regard");
    expect(details).toEqual({
      diff: "@@ -1,3 +1,3 @@\n-größe 😀 = 1\n-  naïve(“x”);  \n-日本\n+größe é = 1\n+  été(“y”);\n+東京 🗼",
    });
  });

  test("does not take half a character for its replacement", async () => {
    expect(await edit("a\uFFFDb\n", { old: "a\uD83D", new: "c" })).toMatchObject(failed("`old` is not in the file"));
  });

  test("matches without regard to indentation and trailing blanks if nothing else does, and says so", async () => {
    const { now, text } = await edit("if (x) {\n\t\tfoo();  \n\t\tbar();\n}\n", {
      old: "  foo();\n  bar();\n",
      new: "  foo(1);\n    bar();\n",
    });
    expect(now).toBe("if (x) {\n\t\tfoo(1);\n\t\t\tbar();\n}\n");
    expect(text).toContain("Edit 1 matched only without regard to indentation");
  });

  test.each([
    ["removes lines", "  a\n  b\n  c\n", { old: "b  \n", new: "" }, "  a\n  c\n"],
    ["removes lines of a file with CRLF", "  a\r\n  b\r\n  c\r\n", { old: "b  \n", new: "" }, "  a\r\n  c\r\n"],
    ["empties a line without its end", "  a\n  b\n", { old: "b  ", new: "" }, "  a\n\n"],
    ["adds a line end where the new text has one more", "  a\n  b\n", { old: "a  ", new: "a\n" }, "  a\n\n  b\n"],
    ["joins lines where it has one less", "  a  \nb\n", { old: "a\n", new: "a" }, "  ab\n"],
    ["adds no line end to a file without one", "  a\n  b", { old: "b  \n", new: "c\n" }, "  a\n  c"],
  ])("a match without regard to blanks %s, as an exact one does", async (_name, content, each, expected) => {
    const { now, text } = await edit(content, each);
    expect([now, text]).toEqual([expected, expect.stringContaining("matched only without regard")]);
  });

  test("finds texts with either line end in a file that has both", async () => {
    const content = "a\nb\n-\r\na\r\nb\r\n";
    expect(await edit(content, { old: "a\nb", new: "x\ny" })).toMatchObject({
      ...failed("2 times (lines 1, 4)"),
      now: content,
    });
    const all = { old: "a\nb", new: "x\ny", all: true };
    expect((await edit(content, all)).now).toBe("x\ny\n-\r\nx\r\ny\r\n");
    expect((await edit("x\nx\r\nx\n", { old: "x\nx", new: "y", all: true })).now).toBe("y\r\nx\n");
  });

  test("changes nothing if one edit fails, and names it", async () => {
    const result = await edit("a\nb\n", { old: "a", new: "x" }, { old: "c()", new: "d" });
    expect(result).toMatchObject({ now: "a\nb\n", ...failed("edit 2 of 2: `old` is not in the file") });
  });

  test("shows the nearest match with its line number", async () => {
    const content = "import x\n\nfunction total(items) {\n  return items.length;\n}\n";
    const { text } = await edit(content, { old: "function total(items) {\n  return items.size;\n}", new: "" });
    expect(text).toEndWith(
      "The nearest match is at line 3:\n3: function total(items) {\n4:   return items.length;\n5: }",
    );
    expect((await edit(content, { old: "functoin totals(item) {", new: "" })).text).toContain(
      "at line 3:\n3: function",
    );
    expect((await edit(content, { old: "§§§§", new: "" })).text).toContain("nor anything like it");
  });

  test.each([
    ["several matches", "x\nx\nx x", [{ old: "x", new: "y" }], "4 times (lines 1, 2, 3)"],
    ["several matches that overlap", "aaa", [{ old: "aa", new: "y" }], "2 times (line 1)"],
    ["several tolerant matches", "  a(1)\n b\n    a(1)\n b", [{ old: "a(1)\nb", new: "c" }], "2 times (lines 1, 3)"],
    ["an empty text", "a", [{ old: "", new: "y" }], "`old` is empty"],
    ["the same text", "a", [{ old: "a", new: "a" }], "are the same"],
    ["no edits", "a", [], "edits"],
    ["a binary file", "a\0b", [{ old: "a", new: "b" }], "binary file"],
    ["bytes that are not UTF-8", new Uint8Array([0x61, 0xff]), [{ old: "a", new: "b" }], "not UTF-8"],
  ])("refuses %s", async (_name, content, edits, message) => {
    expect(await edit(content, ...edits)).toMatchObject(failed(message));
  });

  test("creates nothing for a file that is missing", async () => {
    using folder = temporaryDirectory();
    const args = { path: "x/a.txt", edits: [{ old: "a", new: "b" }] };
    const result = await executeTool(editFileTool({ files: new FileMemory() }), args, toolContext(folder.path));
    expect(textOf(result)).toContain("does not exist: use write_file to create it");
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test("keeps the mode, and edits the target of a link", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "run.sh"), "old");
    chmodSync(join(folder.path, "run.sh"), 0o750);
    symlinkSync("run.sh", join(folder.path, "link"));
    const args = { path: "link", edits: [{ old: "old", new: "new" }] };
    expect((await executeTool(editFileTool({ files: new FileMemory() }), args, toolContext(folder.path))).isError).toBe(
      false,
    );
    expect(readFileSync(join(folder.path, "run.sh"), "utf8")).toBe("new");
    expect(statSync(join(folder.path, "run.sh")).mode & 0o777).toBe(0o750);
    expect(readdirSync(folder.path).sort()).toEqual(["link", "run.sh"]);
  });

  test("takes edits of one file one after the other, so that none is lost", async () => {
    using folder = temporaryDirectory();
    const names = Array.from({ length: 20 }, (_, index) => `<${index}>`);
    writeFileSync(join(folder.path, "a.txt"), names.join("\n"));
    const tool = editFileTool({ files: new FileMemory() });
    const call = (name: string) =>
      executeTool(tool, { path: "a.txt", edits: [{ old: name, new: `done ${name}` }] }, toolContext(folder.path));
    await Promise.all(names.map(call));
    expect(readFileSync(join(folder.path, "a.txt"), "utf8")).toBe(names.map((name) => `done ${name}`).join("\n"));
  });

  test("shows nothing of a file that may not be read", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "a.txt"), "secret");
    const tool = editFileTool({ files: new FileMemory(), isHidden: (path) => path.endsWith("a.txt") });
    const result = await executeTool(
      tool,
      { path: "a.txt", edits: [{ old: "s", new: "t" }] },
      toolContext(folder.path),
    );
    expect(textOf(result)).toContain("reading it is denied");
  });
});

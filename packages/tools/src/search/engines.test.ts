import { describe, expect, test } from "bun:test";
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "@mdx-ai/base/disk";
import { walkFiles } from "@mdx-ai/tools/walk-files";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { requireProgram } from "../../../../test/support/require-program.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { inProcessEngine } from "./in-process-engine.ts";
import { ripgrepEngine } from "./ripgrep.ts";
import { searchPattern } from "./search-pattern.ts";
import type { Search, SearchEngine } from "./search-root.ts";

const program = findProgram("rg", { environment: process.env, outside: [] }) ?? "rg";
const packaged = join(
  import.meta.dir,
  `../../../../node_modules/.bun/node_modules/@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`,
);

/** Each way to search, with why it cannot be tried here. */
const ENGINES: readonly (readonly [string, (search: Search) => SearchEngine, boolean])[] = [
  ["in this process", inProcessEngine, false],
  ["with the ripgrep of this machine", (search) => ripgrepEngine(search, program), requireProgram("rg")],
  ["with the ripgrep of the package", (search) => ripgrepEngine(search, packaged), !existsSync(packaged)],
];

const FILES: Readonly<Record<string, string>> = {
  "a.ts": "const foo = 1;\nfunction foo() {\n  return foo_bar;\n}\n",
  "b/c.md": "Foo and FOO\r\nnaïve café\r\nend foo\r\n\r\nx\tfoo",
  "b/.hidden/d.txt": 'foo@example.org, 12:30, $5 [x] {y} a|b "q" a/b - # &\n',
  "b/e.log": "foo in a log",
  "b/keep.log": "foo is kept",
  "build/out.ts": "foo",
  "deep/x/y.ts": "foo",
  "deep/x/z/y.ts": "foo",
  "deep/x/z/w.ts": "foo",
  "deep/.ignore": "!y.ts\nw.ts\n",
  "again/build/out.ts": "foo",
  "again/build/deep/out.ts": "foo",
  "again/.gitignore": "build/\n",
  "again/.ignore": "!build/\n",
  "excluded.txt": "foo",
  "binary.bin": "foo\n\0foo",
  ".gitignore": "*.log\n!keep.log\n/build/\ny.ts\n",
  "b/.gitignore": "# nothing\n",
  ".git/HEAD": "ref: foo",
  ".git/info/exclude": "excluded.txt\n",
  "stars/.gitignore": "**/p/**/*.t*t\n!**/p/**/k*e*p*\n/*a*a*a\n",
  "stars/p/one.txt": "foo",
  "stars/u/p/v/two.text": "foo",
  "stars/u/p/keep.txt": "foo",
  "stars/banana": "foo",
  "stars/u/banana": "foo",
  "sub/.git/HEAD": "ref: foo",
  "sub/inner.log": "foo is in a repository of its own",
  "sub dir/ünï.txt": "foo",
  "sub dir/two\nlines\n.txt": "x\n\nfoo\n\u2028\r\n:\n7\nfoo",
};

const FOUND = [
  ...["a.ts", "again/build/deep/out.ts", "again/build/out.ts", "b/.hidden/d.txt", "b/c.md", "b/keep.log"],
  ...["deep/x/y.ts", "deep/x/z/y.ts", "stars/u/banana", "stars/u/p/keep.txt"],
  ...["sub dir/two\nlines\n.txt", "sub dir/ünï.txt", "sub/inner.log"],
];

/** Patterns of models with the lines of `a.ts`, `b/c.md` and `b/.hidden/d.txt` that have them. */
const LINES: readonly (readonly [string, boolean, string])[] = [
  ["foo", false, "a:1,2,3 c:3,5 d:1"],
  ["foo", true, "a:1,2,3 c:1,3,5 d:1"],
  ["(?i)FOO AND", false, "c:1"],
  ["CAFÉ", true, "c:2"],
  ["^const", false, "a:1"],
  ["foo$", false, "c:3,5"],
  ["^$", false, "c:4"],
  ["\\r$", false, "c:1,2,3,4"],
  ["\\bfoo\\b", false, "a:1,2 c:3,5 d:1"],
  ["\\d+:\\d+", false, "d:1"],
  ["[\\w.]+@\\w+\\.org", false, "d:1"],
  ["fo{2}_", false, "a:3"],
  ["f(o|x)o?_", false, "a:3"],
  ["(?<name>foo)_(?P<more>bar)", false, "a:3"],
  ["function foo\\(\\) {", false, "a:2"],
  ["{y}", false, "d:1"],
  ["\\$5 \\[x\\]", false, "d:1"],
  ["x]", false, "d:1"],
  ["a\\|b", false, "d:1"],
  ['\\"q\\"', false, "d:1"],
  ["a\\/b \\- \\# \\&", false, "d:1"],
  ["[]x] \\{", false, "d:1"],
  ["[\\]a-z]\\] [{]", false, "d:1"],
  ["[[{]x", false, "d:1"],
  ['[\\"\\/]q', false, "d:1"],
  ["\\x66oo_", false, "a:3"],
  ["\\x{66}oo_|\\u{66}oo@", false, "a:3 d:1"],
  ["na.ve", false, "c:2"],
  ["\\p{L}{5}\\scaf", false, "c:2"],
  ["x\\tfoo", false, "c:5"],
];

/** Calls back with a folder of files to search, below one with rules of its own. */
async function inTree(work: (root: string) => Promise<void>): Promise<void> {
  using home = temporaryDirectory();
  const root = join(home.path, "outer", "tree");
  writeFiles(root, FILES);
  writeFiles(join(home.path, "outer"), { ".ignore": "marked.*\n", "foo.txt": "foo", "tree/marked.txt": "foo" });
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0x2e])]), "foo\n");
  symlinkSync(join(home.path, "outer"), join(root, "link"));
  symlinkSync(join(home.path, "outer/foo.txt"), join(root, "link.txt"));
  await work(root);
}

const { signal } = new AbortController();

const searchFor = (root: string, text = "foo", ignoresCase = false): Search => ({
  pattern: searchPattern(text, ignoresCase),
  root,
  signal,
});

async function foundBy(engine: SearchEngine): Promise<readonly string[]> {
  return (await engine.matchingFiles()).map(({ path }) => path).toSorted();
}

for (const [name, engineFor, isMissing] of ENGINES) {
  describe.skipIf(isMissing)(`a search ${name}`, () => {
    test("leaves out what nested rules do, binary files, .git and links", () =>
      inTree(async (root) => {
        expect(await foundBy(engineFor(searchFor(root)))).toEqual(FOUND.toSorted());
      }));

    test("finds the lines that a pattern of a model is about", () =>
      inTree(async (root) => {
        const paths = { a: "a.ts", c: "b/c.md", d: "b/.hidden/d.txt" };
        for (const [text, ignoresCase, expected] of LINES) {
          const lines = await engineFor(searchFor(root, text, ignoresCase)).matchingLines(Object.values(paths), 9);
          const shown = Object.entries(paths).flatMap(([short, path]) =>
            lines.get(path)?.length ? `${short}:${lines.get(path)?.join(",")}` : [],
          );
          expect([text, shown.join(" ")]).toEqual([text, expected]);
        }
      }));

    test("searches one file that the rules leave out", () =>
      inTree(async (root) => {
        const engine = engineFor({ ...searchFor(join(root, "b")), file: "e.log" });
        expect(await engine.matchingFiles()).toEqual([{ path: "e.log", count: 1 }]);
        expect([...(await engine.matchingLines(["e.log"], 5))]).toEqual([["e.log", [1]]]);
      }));

    test.each([
      ["out/sub", { ".gitignore": "out/\n*.log\n" }, ["a.log", "b/c.ts", "b/d.ts"]],
      ["out/sub", { ".gitignore": "*\n" }, ["a.log", "b/c.ts", "b/d.ts"]],
      ["out/sub", { ".gitignore": "*\n", "out/.gitignore": "*.log\n", "out/.git/HEAD": "" }, ["b/c.ts", "b/d.ts"]],
      ["out/sub", { ".gitignore": "*\n", "out/sub/.gitignore": "*.log\n" }, ["b/c.ts", "b/d.ts"]],
      ["out", { ".gitignore": "/*\n!/out/\n*.log\n" }, ["sub/b/c.ts", "sub/b/d.ts"]],
      ["out", { ".gitignore": "c.ts\n", "out/.rgignore": "!c.ts\n*.log\n" }, ["sub/b/c.ts", "sub/b/d.ts"]],
    ])("of %s, with the rules %p, finds %p", async (folder, rules, expected) => {
      using home = temporaryDirectory();
      writeFiles(home.path, { "out/sub/b/c.ts": "foo", "out/sub/b/d.ts": "foo", "out/sub/a.log": "foo", ...rules });
      expect(await foundBy(engineFor(searchFor(join(home.path, folder))))).toEqual(expected);
    });

    test("reads the rules of a worktree in its repository", async () => {
      using home = temporaryDirectory();
      writeFiles(home.path, {
        "repository/.git/info/exclude": "left-out\n",
        "repository/.git/worktrees/tree/commondir": "../..\n",
        "tree/.git": `gitdir: ${join(home.path, "repository/.git/worktrees/tree")}\n`,
        "tree/left-out": "foo",
        "tree/a.txt": "foo",
      });
      expect(await foundBy(engineFor(searchFor(join(home.path, "tree"))))).toEqual(["a.txt"]);
    });

    test("stays quick with a pattern on which others backtrack", () =>
      inTree(async (root) => {
        writeFiles(root, { "long.txt": `${"a".repeat(2_000)}\n` });
        expect(await foundBy(engineFor(searchFor(root, "(a+)+(a*)*b$")))).not.toContain("long.txt");
      }));

    test("ends when it is aborted", () =>
      inTree(async (root) => {
        const engine = engineFor({ ...searchFor(root), signal: AbortSignal.abort() });
        await expect(engine.matchingFiles()).rejects.toThrow("aborted");
      }));

    test.each(["(", "a)", "[z-a]", "*a", "\\"])("says that %s is no pattern", (text) =>
      inTree(async (root) => {
        const search = async () => engineFor(searchFor(root, text)).matchingFiles();
        await expect(search()).rejects.toThrow("the pattern is not a regular expression");
      }),
    );
  });
}

test.each(["(?<=a)b", "(?!a)", "(a)\\1", "a\\nb", "a\nb", "[[:alpha:]]"])("%j is refused by name", (pattern) => {
  expect(() => searchPattern(pattern, false)).toThrow("which this tool does not support");
});

describe("what has become a link to somewhere else since it was listed", () => {
  test("is not searched in this process", () =>
    inTree(async (root) => {
      const engine = inProcessEngine(searchFor(root));
      expect(Object.fromEntries(await engine.matchingLines(["link.txt", "link/foo.txt", "a.ts"], 1))).toEqual({
        "link.txt": [],
        "link/foo.txt": [],
        "a.ts": [1],
      });
    }));

  test("is not listed", () =>
    inTree(async (root) => {
      expect(await walkFiles({ root: join(root, "link"), signal })).toEqual({ entries: [], isCut: false });
    }));
});

import { describe, expect, test } from "bun:test";
import { renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "@mdx-ai/runtime/files";
import { ownEngine } from "../../../../packages/runtime/src/tools/search/own-engine.ts";
import { ripgrepEngine } from "../../../../packages/runtime/src/tools/search/ripgrep.ts";
import { searchPattern } from "../../../../packages/runtime/src/tools/search/search-pattern.ts";
import type { SearchEngine } from "../../../../packages/runtime/src/tools/search/search-root.ts";
import { walkFiles } from "../../../../packages/runtime/src/tools/search/walk-files.ts";
import { writeFiles } from "../../../support/agent-files.ts";
import { requireProgram } from "../../../support/require-program.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { untilOld } from "../../../support/until-old.ts";

const program = findProgram("rg", { environment: process.env, outside: [] }) ?? "rg";

const FILES: Readonly<Record<string, string>> = {
  "a.ts": "const foo = 1;\nfunction foo() {\n  return foo_bar;\n}\n",
  "b/c.md": "Foo and FOO\r\nnaïve café\r\nend foo\r\n\r\nx\tfoo",
  "b/.hidden/d.txt": "foo@example.org, 12:30, $5 [x] {y} a|b\n",
  "b/e.log": "foo in a log",
  "b/keep.log": "foo is kept",
  "build/out.ts": "foo",
  "deep/x/y.ts": "foo",
  "deep/x/z/y.ts": "foo",
  "deep/x/z/w.ts": "foo",
  "deep/.ignore": "!y.ts\nw.ts\n",
  "excluded.txt": "foo",
  "binary.bin": "foo\n\0foo",
  "late.bin": `${"foo\n".repeat(50_000)}\0`,
  "marked.txt": "\uFEFFfoo\nfoo",
  "crlf.txt": "foo.\r\nfoo\rbar\r\n\r\n\rfoo\r\r\n",
  "cases.txt": "ſ\n\u212A\nσς\nΣ\nß\nẞ\nİ\nı\nǅ\nⅧ\nꭰ\nK ſ\n",
  ".gitignore": "*.log\n!keep.log\n/build/\ny.ts\n",
  "b/.gitignore": "# nothing\n",
  ".git/HEAD": "ref: foo",
  ".git/info/exclude": "excluded.txt\n",
  "stars/.gitignore": "**/p/**/*.t*t\n!**/p/**/k*e*p*\n/*a*a*a\n*{x}*y*/\nq/**/**/z\ns/**/*\n*[!b]*b*.\\*\n",
  "stars/p/one.txt": "foo",
  "stars/u/p/v/two.text": "foo",
  "stars/u/p/keep.txt": "foo",
  "stars/u/p.txt": "foo",
  "stars/banana": "foo",
  "stars/u/banana": "foo",
  "stars/{x}1y2/three.md": "foo",
  "stars/u/{x}y": "foo",
  "stars/q/z": "foo",
  "stars/q/1/2/3/z/four.md": "foo",
  "stars/u/q/z": "foo",
  "stars/s/five.md": "foo",
  "stars/s/1/2/six.md": "foo",
  "stars/abc.*": "foo",
  "stars/bbc.d": "foo",
  "sub/.git/HEAD": "ref: foo",
  "sub/inner.log": "foo is in a repository of its own",
  "sub dir/ünï.txt": "foo",
  "sub dir/two\nlines\n.txt": "x\n\nfoo\n\u2028\r\n:\n7\nfoo",
};

/** In Latin 1: some of it is not UTF-8. */
const BROKEN = "foo \xFF\nfoo \xC3(\nfoo \xEF\xBF\xBD\n\xE2\x82foo\r\n";

const PATTERNS: readonly string[] = [
  ...[
    "foo",
    "^foo",
    "foo$",
    "^$",
    "\\bfoo\\b",
    "foo\\B",
    "\\d+:\\d+",
    "[\\w.]+@\\w+\\.org",
    "fo{2}",
    "fo{1,}",
    "f(o|x)o?",
  ],
  ...[
    "function foo\\(\\) {",
    "\\$5",
    "\\[x\\]",
    "{y}",
    "a\\|b",
    "caf.$",
    "na.ve",
    "\\p{L}{5}",
    "[^a-z\\s]{2}",
    "x\\tfoo",
  ],
  ...[
    "(?:foo)+",
    "(?<name>foo)",
    "[A-Z]{3}",
    "[]x]",
    "[\\]a-]o",
    "\\x66oo",
    "\\u{66}oo",
    "\\S+\\s\\S+\\s",
    "(?i)FOO",
    "e.*o.*n",
  ],
  ...[
    ".$",
    "o.",
    "[^a]$",
    "\\W$",
    "\\s$",
    "\\r",
    "\r$",
    "[\\r.]$",
    "^\\s*$",
    "\\uFFFD",
    "foo .",
    "[^x]foo",
    "[\\u{80}-\\u{FFFF}]",
  ],
  ...[
    "s",
    "k",
    "σ",
    "ẞ",
    "i\\b",
    "[k]",
    "[à-ÿ]",
    "[^σ]",
    "ǆ",
    "ⅷ",
    "Ꭰ",
    "\\p{Lu}",
    "[^\\p{Ll}]",
    "\\p{C}",
    "[\\x00-\\x1f]",
    "[^S]",
  ],
  ...["\\W\\D", "caf[é]", "\\P{L}{3}", "^.{3}$", "foo|end", "\\-", "&&", "~#"],
];

async function answers(engine: SearchEngine, withLines = true): Promise<unknown> {
  const files = (await engine.matchingFiles()).toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const paths = withLines ? files.map(({ path }) => path) : [];
  return { files, lines: [...(await engine.matchingLines(paths, 5))] };
}

/** Calls back with a folder of these files. */
async function inHome(files: Readonly<Record<string, string>>, work: (home: string) => Promise<void>): Promise<void> {
  using home = temporaryDirectory();
  writeFiles(home.path, files);
  await untilOld();
  await work(home.path);
}

/** Calls back with a folder of files to search, below one with rules of its own. */
async function inTree(work: (root: string) => Promise<void>): Promise<void> {
  using home = temporaryDirectory();
  const root = join(home.path, "outer", "tree");
  writeFiles(root, FILES);
  writeFileSync(join(root, "broken.txt"), BROKEN, "latin1");
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0x2e])]), "foo\n");
  writeFiles(join(home.path, "outer"), { ".ignore": "marked.*\n", "foo.txt": "foo" });
  symlinkSync(join(home.path, "outer"), join(root, "link"));
  symlinkSync(join(home.path, "outer/foo.txt"), join(root, "link.txt"));
  await untilOld();
  await work(root);
}

const { signal } = new AbortController();

describe.skipIf(requireProgram("rg"))("both engines of grep", () => {
  test(
    "find the same lines of the same files, whatever the pattern",
    () =>
      inTree(async (root) => {
        for (const [index, text] of PATTERNS.entries()) {
          for (const ignoresCase of [false, true]) {
            const search = { pattern: searchPattern(text, ignoresCase), root, signal };
            const own = await answers(ownEngine(search), index % 4 === 0);
            const others = await answers(ripgrepEngine({ ...search, program }), index % 4 === 0);
            expect([text, ignoresCase, own]).toEqual([text, ignoresCase, others]);
          }
        }
      }),
    60_000,
  );

  test("search one file that the rules leave out", () =>
    inTree(async (root) => {
      const search = { pattern: searchPattern("foo", false), root: join(root, "b"), file: "e.log", signal };
      const expected = { files: [{ path: "e.log", count: 1 }], lines: [["e.log", [1]]] };
      expect(await answers(ownEngine(search))).toEqual(expected);
      expect(await answers(ripgrepEngine({ ...search, program }))).toEqual(expected);
    }));
});

describe.skipIf(requireProgram("rg"))("grep with ripgrep", () => {
  test.each([".gitignore", "outer/.ignore", "a/b/.rgignore", "a/.gitignore"])(
    "passes over a pipe that is called %s",
    (name) =>
      inHome({ "outer/tree/x.txt": "foo", "outer/tree/a/b/y.txt": "foo" }, async (home) => {
        const root = join(home, "outer/tree");
        expect(Bun.spawnSync(["mkfifo", join(name.startsWith("outer") ? home : root, name)]).exitCode).toBe(0);
        const engine = ripgrepEngine({ pattern: searchPattern("foo", false), root, signal, program });
        const found = (await engine.matchingFiles()).map(({ path }) => path);
        expect(found.toSorted()).toEqual(["a/b/y.txt", "x.txt"]);
      }),
  );

  test("asks for the lines of more files than a command can name", async () => {
    using home = temporaryDirectory();
    const names = Array.from({ length: 3_000 }, (_, index) => `${"long".repeat(45)}/${index}.txt`);
    writeFiles(home.path, Object.fromEntries(names.map((name) => [name, "x\nfoo\n"])));
    const engine = ripgrepEngine({ pattern: searchPattern("foo", false), root: home.path, signal, program });
    await untilOld();
    expect([...(await engine.matchingLines(names, 5))]).toEqual(names.map((name) => [name, [2]]));
  });
});

test("a pattern that matches within a character, or a null character, is refused", () => {
  for (const pattern of ["\\B", "x*\\B", "\\0", "a\\x00"]) {
    expect(() => searchPattern(pattern, false)).toThrow("which this tool does not support");
  }
});

describe("a pattern without regard to case", () => {
  test.each([
    ["s", "ſ|s|S"],
    ["\u212A", "k|K|\u212A"],
    ["[à-ï]", "À|ï"],
    ["ẞ", "ß|ẞ"],
    ["ς", "σ|Σ|ς"],
    ["ꭰ", "Ꭰ|ꭰ"],
    ["\\p{Lu}", "a|A|ǅ"],
  ])("%s finds %s", (pattern, texts) => {
    const { script } = searchPattern(pattern, true);
    for (const text of texts.split("|")) expect([text, new RegExp(script, "u").test(text)]).toEqual([text, true]);
  });

  test.each([
    ["i", "İ|ı"],
    ["ß", "ss|SS"],
    ["[^k]", "k|K|\u212A"],
    ["\\w", "ſ"],
  ])("%s does not find %s", (pattern, texts) => {
    const { script } = searchPattern(pattern, true);
    for (const text of texts.split("|")) expect([text, new RegExp(script, "u").test(text)]).toEqual([text, false]);
  });
});

describe("what has become a link to somewhere else since it was listed", () => {
  const search = (root: string) => ({ pattern: searchPattern("foo", false), root, signal });

  test("is not searched by the own engine", () =>
    inTree(async (root) => {
      const engine = ownEngine(search(root));
      const paths = ["link.txt", "link/foo.txt", "a.ts"];
      expect((await engine.filesAmong(paths)).map(({ path }) => path)).toEqual(["a.ts"]);
      expect(Object.fromEntries(await engine.matchingLines(paths, 1))).toEqual({
        "link.txt": [],
        "link/foo.txt": [],
        "a.ts": [1],
      });
    }));

  test.skipIf(requireProgram("rg"))("is not searched by ripgrep", () =>
    inTree(async (root) => {
      const engine = ripgrepEngine({ ...search(root), program });
      renameSync(join(root, "link.txt"), join(root, "b/link.txt"));
      await untilOld();
      const found = await engine.matchingLines(["b/link.txt", "a.ts"], 1);
      expect(Object.fromEntries(found)).toEqual({ "b/link.txt": [], "a.ts": [1] });
      expect(ripgrepEngine({ ...search(join(root, "link")), program }).matchingFiles()).rejects.toThrow("changed");
    }),
  );

  test("is not listed", () =>
    inTree(async (root) => {
      expect(await walkFiles({ root: join(root, "link"), signal })).toEqual({ entries: [], isCut: false });
    }));
});

describe("a walk", () => {
  test("of one folder with many rules gives others a turn, and ends when it is aborted", async () => {
    using home = temporaryDirectory();
    const rules = Array.from({ length: 5_000 }, (_, index) => `${index}x/*.z${index}\n`).join("");
    const names = Array.from({ length: 2_000 }, (_, index) => `${index}.txt`);
    writeFiles(home.path, { ".gitignore": rules, ...Object.fromEntries(names.map((name) => [name, ""])) });
    const abort = new AbortController();
    setImmediate(() => setImmediate(() => abort.abort()));
    expect(walkFiles({ root: home.path, signal: abort.signal })).rejects.toThrow("aborted");
  });
});

describe("the own engine of grep", () => {
  test("reads the rules of a worktree in its repository", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "repository/.git/info/exclude": "left-out\n",
      "repository/.git/worktrees/tree/commondir": "../..\n",
      "tree/.git": `gitdir: ${join(home.path, "repository/.git/worktrees/tree")}\n`,
      "tree/left-out": "foo",
      "tree/a.txt": "foo",
    });
    const search = { pattern: searchPattern("foo", false), root: join(home.path, "tree"), signal };
    expect(await ownEngine(search).matchingFiles()).toEqual([{ path: "a.txt", count: 1 }]);
  });

  test("leaves out what the nested rules do, binary files, .git and links", () =>
    inTree(async (root) => {
      const files = await ownEngine({ pattern: searchPattern("foo", false), root, signal }).matchingFiles();
      expect(files.map(({ path }) => path).sort()).toEqual([
        ...[
          "a.ts",
          "b/.hidden/d.txt",
          "b/c.md",
          "b/keep.log",
          "broken.txt",
          "crlf.txt",
          "deep/x/y.ts",
          "deep/x/z/y.ts",
          "stars/bbc.d",
          "stars/u/banana",
          "stars/u/p.txt",
          "stars/u/p/keep.txt",
          "stars/u/q/z",
          "stars/u/{x}y",
          "sub dir/two\nlines\n.txt",
          "sub dir/ünï.txt",
        ],
        "sub/inner.log",
      ]);
    }));

  test("stays quick with a pattern on which others backtrack", () =>
    inTree(async (root) => {
      writeFiles(root, { "long.txt": `${"a".repeat(2_000)}\n` });
      const engine = ownEngine({ pattern: searchPattern("(a+)+(a*)*b$", false), root, signal });
      expect((await engine.matchingFiles()).map(({ path }) => path)).not.toContain("long.txt");
    }));
});

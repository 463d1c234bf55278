import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { executeTool } from "@mdx-ai/tools";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { requireProgram } from "../../../../test/support/require-program.ts";
import { openSandboxBench } from "../../../../test/support/sandbox-bench.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { textOf, toolContext } from "../../../../test/support/tool-context.ts";
import type { ShownFiles } from "./search-root.ts";
import { globTool, grepTool, listFilesTool } from "./search-tools.ts";

const FILES = {
  "a.ts": "one\ntwo foo\nthree\nfour\nfive foo\nsix\n",
  "src/b.ts": `foo ${"x,".repeat(500)}\n`,
  "src/c.md": "Foo\n",
  "out/d.ts": "foo\n",
  ".gitignore": "out/\n",
  ".env": "KEY=foo\n",
};

type Arguments = Parameters<typeof executeTool>[1];

/** Calls a tool in a folder of these files; without ripgrep, since both engines find the same. */
async function call(make: typeof grepTool, args: Arguments, shownFiles?: ShownFiles, cwd = "") {
  using folder = temporaryDirectory();
  writeFiles(folder.path, FILES);
  symlinkSync("/etc", join(folder.path, "link"));
  const tool = make({ environment: { PATH: "/nowhere" }, shownFiles });
  const result = await executeTool(tool, args, { ...toolContext(folder.path), cwd: join(folder.path, cwd) });
  return textOf(result).replaceAll(folder.path, "DIR");
}

test.each(["work", "work/deep"])("grep runs no ripgrep of the repository around %s", async (cwd) => {
  using folder = temporaryDirectory();
  const ran = join(folder.path, "ran");
  writeFiles(folder.path, { "repo/bin/rg": `#!/bin/sh\ntouch "${ran}"\n`, "repo/work/deep/a.txt": "foo\n" });
  mkdirSync(join(folder.path, "repo/.git"));
  chmodSync(join(folder.path, "repo/bin/rg"), 0o755);
  const tool = grepTool({ environment: { PATH: join(folder.path, "repo/bin") } });
  const context = { ...toolContext(folder.path), agentDir: join(folder.path, "agent") };
  const result = await executeTool(tool, { pattern: "foo" }, { ...context, cwd: join(folder.path, "repo", cwd) });
  expect(textOf(result)).toEndWith("a.txt\n1: foo");
  expect(existsSync(ran)).toBe(false);
});

test.each([
  ["list_files", listFilesTool, {}],
  ["glob", globTool, { pattern: "*.txt" }],
  ["grep", grepTool, { pattern: "foo", mode: "files" }],
  ["grep", grepTool, { pattern: "foo" }],
] as const)("%s shows a name with a line end on one line", async (_, make, args) => {
  using folder = temporaryDirectory();
  writeFiles(folder.path, { "a\nb.txt\u001b[2J.txt": "foo" });
  const tool = make({ environment: { PATH: "/nowhere" } });
  const [first] = textOf(await executeTool(tool, args, toolContext(folder.path))).split("\n");
  expect(first).toBe('"a\\nb.txt\\u001b[2J.txt"');
});

const withoutSecrets: ShownFiles = () => (path) => !path.endsWith(".env");

describe("grep", () => {
  test("shows lines with those around them, by path, and cuts long ones", async () => {
    expect(await call(grepTool, { pattern: "foo", context: 1 }, withoutSecrets)).toBe(
      [
        ...["a.ts", "1- one", "2: two foo", "3- three", "4- four", "5: five foo", "6- six"],
        ...["src/b.ts", `1: foo ${"x,".repeat(198)}… [604 more characters]`],
      ].join("\n"),
    );
  });

  test("marks left out lines between contexts", async () => {
    const text = await call(grepTool, { pattern: "one|six", context: 1, path: "a.ts" });
    expect(text).toBe("a.ts\n1: one\n2- two foo\n--\n5- five foo\n6: six");
  });

  test("says how many lines the limit leaves out", async () => {
    const text = await call(grepTool, { pattern: "o", limit: 1, glob: "*.{ts,md}" });
    expect(text).toBe("a.ts\n1: one\n[5 more matching lines, with 2 more files: narrow the search or raise limit]");
  });

  test.each([
    [{ mode: "files" }, "a.ts\nsrc/b.ts"],
    [{ mode: "count" }, "a.ts: 2\nsrc/b.ts: 1"],
    [{ mode: "count", ignore_case: true }, "a.ts: 2\nsrc/b.ts: 1\nsrc/c.md: 1"],
    [{ mode: "files", glob: "src/**" }, "src/b.ts"],
    [{ mode: "files", glob: "!*.ts", ignore_case: true }, "src/c.md"],
    [{ mode: "files", path: "src" }, "src/b.ts"],
    [{ mode: "files", path: "out" }, "out/d.ts"],
    [{ mode: "count", path: "src" }, "src/b.ts: 1"],
    [{ path: "src/b.ts" }, "src/b.ts\n1: foo"],
    [{ path: "src", glob: "b.*" }, "src/b.ts\n1: foo"],
    [{ mode: "files", limit: 1 }, "a.ts\n[1 more files: narrow the search or raise limit]"],
    [{ pattern: "nowhere" }, "[no matches]"],
    [{ path: "none" }, '"DIR/none" does not exist'],
    [{ pattern: "(?<=a)b" }, "the pattern uses lookaround"],
    [{ pattern: "(" }, "the pattern is not a regular expression"],
  ])("takes %p", async (args, expected) => {
    const text = await call(grepTool, { pattern: "foo", ...args }, withoutSecrets);
    expect(text.startsWith(expected) ? expected : text).toBe(expected);
  });
});

describe("glob", () => {
  test.each([
    ["*.ts", "a.ts\nsrc/b.ts"],
    ["/*.ts", "a.ts"],
    ["src/*", "src/b.ts\nsrc/c.md"],
    ["**/*.{md,ts}", "a.ts\nsrc/b.ts\nsrc/c.md"],
    [".env", ".env"],
    ["*.py", "[no files match]"],
  ])("finds %s", async (pattern, expected) => {
    expect(await call(globTool, { pattern })).toBe(expected);
  });

  test("names files as the tools that read take them, and takes an absolute pattern", async () => {
    expect(await call(globTool, { pattern: "*", path: "src" })).toBe("src/b.ts\nsrc/c.md");
    expect(await call(globTool, { pattern: "*.ts", path: ".." }, undefined, "src")).toBe("DIR/a.ts\nDIR/src/b.ts");
    using folder = temporaryDirectory();
    writeFiles(folder.path, FILES);
    const pattern = join(realpathSync(folder.path), "src/*.ts");
    const result = await executeTool(globTool({ environment: {} }), { pattern }, toolContext(folder.path));
    expect(textOf(result)).toBe("src/b.ts");
  });

  test("starts at the working directory, and knows the rules above it", async () => {
    expect(await call(globTool, { pattern: "**" }, undefined, "src")).toBe("b.ts\nc.md");
  });
});

describe("list_files", () => {
  test("lists a folder, with links, and deeper", async () => {
    expect(await call(listFilesTool, {})).toBe(".env\n.gitignore\na.ts\nlink (a link)\nsrc/");
    expect(await call(listFilesTool, { depth: 2 }, withoutSecrets)).toBe(
      ".gitignore\na.ts\nlink (a link)\nsrc/\nsrc/b.ts\nsrc/c.md",
    );
    expect(await call(listFilesTool, { path: "a.ts" })).toContain("is a file, not a folder");
  });

  test.skipIf(requireProgram("bwrap"))("shows nothing that exists only while a command is sandboxed", async () => {
    await using bench = openSandboxBench({ files: { "empty/kept": "" } });
    unlinkSync(join(bench.directory, "empty/kept"));
    await bench.bash(":");
    expect(readdirSync(bench.directory)).toContain(".git");
    const result = await executeTool(listFilesTool({ environment: {} }), {}, toolContext(bench.directory));
    expect(textOf(result)).toBe("agent.mdx\nempty/\nlogs/\nsessions/\nstate/");
  });
});

describe("a hostile repository", () => {
  test("makes no tool wait for a pipe or read a device or a huge file as rules", async () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "pipe/a.ts": "", "device/b.ts": "", "long/c.ts": "", "long/.ignore": "c.ts\n" });
    Bun.spawnSync(["mkfifo", join(folder.path, "pipe/.gitignore")]);
    symlinkSync("/dev/zero", join(folder.path, "device/.gitignore"));
    truncateSync(join(folder.path, "long/.ignore"), 8 * 1024 ** 4);
    const tool = globTool({ environment: {} });
    const result = await executeTool(tool, { pattern: "*.ts" }, toolContext(folder.path));
    expect(textOf(result)).toBe("device/b.ts\nlong/c.ts\npipe/a.ts");
  });

  test("makes no search slow with rules of many wildcards", async () => {
    using folder = temporaryDirectory();
    const deep = "a/".repeat(300);
    writeFiles(folder.path, {
      [`${deep}a.ts`]: "",
      ".gitignore": `${"**/[ab]/".repeat(8)}[cd]\n${"*[ab]".repeat(30)}[cd]\n${"**/a/**/b\n".repeat(20_000)}`,
    });
    const result = await executeTool(globTool({ environment: {} }), { pattern: "*.ts" }, toolContext(folder.path));
    expect(textOf(result)).toBe(`${deep}a.ts`);
  });

  test.each(["/nowhere", process.env["PATH"] ?? ""])("has no huge file searched, with PATH %p", async (PATH) => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "huge.txt": `foo\n${"x".repeat(10_000)}`, "small.txt": "foo\n" });
    truncateSync(join(folder.path, "huge.txt"), 8 * 1024 ** 4);
    const grep = async (args: Arguments) =>
      textOf(await executeTool(grepTool({ environment: { PATH } }), args, toolContext(folder.path)));
    expect(await grep({ pattern: "foo", mode: "files" })).toBe("small.txt");
    expect(await grep({ pattern: "foo", path: "huge.txt" })).toContain('"huge.txt" is too large to be searched');
  });
});

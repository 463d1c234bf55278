import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtinGroups } from "@mdx-ai/parser";
import { builtinTools, executeTool } from "@mdx-ai/tools";
import { writeFiles } from "../../support/agent-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { textOf, toolContext } from "../../support/tool-context.ts";

async function call(folder: string, name: string, args: Parameters<typeof executeTool>[1]) {
  const tool = builtinTools({ environment: process.env }, builtinGroups.aiagent).find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  const result = await executeTool(tool, args, toolContext(folder));
  return { text: textOf(result), isError: result.isError, details: result.details };
}

async function exec(folder: string, args: Parameters<typeof executeTool>[1]) {
  const { text, isError } = await call(folder, "shell.exec", args);
  return { ...JSON.parse(text), isError };
}

describe("fs.list", () => {
  test("does not wait for the other end of a pipe", async () => {
    using folder = temporaryDirectory();
    Bun.spawnSync(["mkfifo", join(folder.path, "pipe")]);
    const { text } = await call(folder.path, "fs.list", { path: "pipe" });
    expect(JSON.parse(text)).toMatchObject({ ok: false, error: expect.stringContaining("is not a folder") });
  });
});

describe("shell.exec", () => {
  test("gives both streams and the exit code; a failure is no error", async () => {
    using folder = temporaryDirectory();
    const cmd = "shopt -q login_shell && echo out; echo err >&2; exit 3";
    expect(await exec(folder.path, { cmd })).toEqual({
      ...{ ok: false, exit_code: 3, stdout: "out\n", stderr: "err\n", truncated: false, isError: false },
    });
    expect(await exec(folder.path, { cmd: "pwd" })).toMatchObject({
      ok: true,
      exit_code: 0,
      stdout: `${folder.path}\n`,
    });
  });

  test("ends with 124 and a note when its time is over", async () => {
    using folder = temporaryDirectory();
    expect(await exec(folder.path, { cmd: "echo a; sleep 60", timeout_s: 2 })).toEqual({
      ...{ ok: false, exit_code: 124, stdout: "a\n", stderr: "[timed out after 2 seconds]" },
      ...{ truncated: false, isError: false },
    });
  });

  test("keeps 200 KB of each stream, with a note of what was dropped", async () => {
    using folder = temporaryDirectory();
    const cmd = "head -c 300000 /dev/zero | tr '\\0' x; head -c 100000 /dev/zero | tr '\\0' y >&2";
    const { stdout, stderr, truncated } = await exec(folder.path, { cmd });
    expect([stderr.length, truncated]).toEqual([100_000, true]);
    expect(stdout.length).toBeLessThanOrEqual(204_800);
    expect(stdout.length).toBeGreaterThan(100_000);
    expect(stdout).toMatch(/\[\d+ characters dropped: a tool result has at most 204800 bytes\]/);
  });

  test("keeps 200 KB of each stream, with any characters", async () => {
    using folder = temporaryDirectory();
    const { stdout, stderr, truncated } = await exec(folder.path, {
      cmd: "yes é日😀 | head -c 700000; yes 'é日😀' | head -c 200000 >&2",
    });
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(204_800);
    expect(Buffer.byteLength(stdout)).toBeGreaterThan(190_000);
    expect([Buffer.byteLength(stderr), truncated]).toEqual([200_000, true]);
    expect(await exec(folder.path, { cmd: "head -c 204801 /dev/zero | tr '\\0' x" })).toMatchObject({
      truncated: true,
    });
    expect(await exec(folder.path, { cmd: "head -c 204800 /dev/zero | tr '\\0' x" })).toMatchObject({
      truncated: false,
    });
  });

  test("reports a signal as a shell does", async () => {
    using folder = temporaryDirectory();
    expect(await exec(folder.path, { cmd: "kill -9 $$" })).toMatchObject({ ok: false, exit_code: 137 });
  });
});

describe("the details of a result", () => {
  test.each([
    ["shell.exec", { cmd: "echo é; echo e >&2; exit 3" }, { exit_code: 3, truncated: false, bytes: 5 }],
    ["shell.exec", { cmd: "yes | head -c 300000" }, { exit_code: 0, truncated: true, bytes: 300_000 }],
    ["fs.read", { path: "b.txt" }, { bytes: 2, truncated: false }],
  ])("of %s with %j", async (name, args, details) => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "b.txt": "é" });
    expect((await call(folder.path, name, args)).details).toEqual(details);
  });
});

describe("the tools for files", () => {
  test("list, read and write", async () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "b.txt": "é", "a/c.txt": "c" });
    expect(await call(folder.path, "fs.list", { path: "." })).toMatchObject({ text: '["a","b.txt"]', isError: false });
    expect(await call(folder.path, "fs.read", { path: "b.txt" })).toMatchObject({ text: "é", isError: false });
    const result = await call(folder.path, "fs.write", { path: "x/y.txt", content: "new" });
    expect(result).toMatchObject({ text: '{"ok":true,"bytes":3}', isError: false });
    expect(readFileSync(join(folder.path, "x/y.txt"), "utf8")).toBe("new");
    expect(readdirSync(join(folder.path, "x"))).toEqual(["y.txt"]);
  });

  test.each([
    ["fs.read", { path: "latin1.txt" }, "is not UTF-8 text"],
    ["fs.read", { path: "none.txt" }, "does not exist"],
    ["fs.list", { path: "latin1.txt" }, "is not a folder"],
    ["fs.list", { path: "none" }, "does not exist"],
    ["fs.write", { path: "none/a.txt", content: "", create_dirs: false }, "create_dirs is false"],
  ])("%s of %p fails with JSON", async (name, args, message) => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "latin1.txt"), new Uint8Array([0x61, 0xff]));
    const { text, isError } = await call(folder.path, name, args);
    expect([JSON.parse(text).ok, isError]).toEqual([false, true]);
    expect(JSON.parse(text).error).toContain(message);
    expect(existsSync(join(folder.path, "none"))).toBe(false);
  });

  test("check their arguments", async () => {
    using folder = temporaryDirectory();
    const { text } = await call(folder.path, "shell.exec", { cmd: {}, timeout_s: 0 });
    expect(text).toContain('invalid arguments: parameter "cmd" must be string');
  });
});

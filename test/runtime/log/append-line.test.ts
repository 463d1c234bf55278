import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appendLine } from "../../../packages/runtime/src/log/append-line.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

test("a line is added behind what stands there, in a folder and a file that are their owner's alone", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "logs/a.log");
  await appendLine(path, "one");
  await appendLine(path, "two\nthree");
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\nthree\n");
  expect([join(directory.path, "logs"), path].map((place) => statSync(place).mode & 0o777)).toStrictEqual([
    0o700, 0o600,
  ]);
});

test("half a line, as a crash leaves it, does not spoil the next one", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "a.log");
  writeFileSync(path, "whole\nha");
  await appendLine(path, "next");
  expect(readFileSync(path, "utf8")).toBe("whole\nha\nnext\n");
});

test("a symbolic link where the file should be is refused, wherever it leads", async () => {
  using directory = temporaryDirectory();
  const [target, nowhere] = [join(directory.path, "target"), join(directory.path, "nowhere")];
  writeFileSync(target, "mine");
  for (const to of [target, nowhere]) {
    const path = `${to}.log`;
    symlinkSync(to, path);
    await expect(appendLine(path, "line")).rejects.toThrow(`${path} is a symbolic link, which is not followed`);
  }
  expect(readFileSync(target, "utf8")).toBe("mine");
  expect(existsSync(nowhere)).toBe(false);
});

test("a symbolic link where the folder should be is refused", async () => {
  using directory = temporaryDirectory();
  const logs = join(directory.path, "logs");
  mkdirSync(join(directory.path, "elsewhere"));
  symlinkSync(join(directory.path, "elsewhere"), logs);
  await expect(appendLine(join(logs, "a.log"), "line")).rejects.toThrow(`${logs} is a symbolic link`);
  expect(existsSync(join(directory.path, "elsewhere/a.log"))).toBe(false);
});

test.skipIf(process.platform === "win32")("a pipe where the file should be is refused, not waited for", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "a.log");
  expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
  await expect(appendLine(path, "line")).rejects.toThrow(`${path} is no regular file`);
});

test("a folder where the file should be is an error", async () => {
  using directory = temporaryDirectory();
  mkdirSync(join(directory.path, "a.log"));
  await expect(appendLine(join(directory.path, "a.log"), "line")).rejects.toThrow("EISDIR");
});

import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { attempt } from "../errors/attempt.ts";
import { appendLines } from "./append-lines.ts";

describe("lines that are appended at once", () => {
  test("follow what is in the file, in a folder and a file that are their owner's alone", () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, "logs/a.log");
    appendLines(path, ["one"]);
    appendLines(path, ["two", "three"]);
    appendLines(path, []);
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\nthree\n");
    expect([join(directory.path, "logs"), path].map((one) => statSync(one).mode & 0o777)).toStrictEqual([0o700, 0o600]);
  });

  test("are not spoiled by half a line, as a crash leaves it, also of another process meanwhile", () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, "a.log");
    appendFileSync(path, "whole\nha");
    appendLines(path, ["next"]);
    appendFileSync(path, "other\nha");
    appendLines(path, ["last"]);
    expect(readFileSync(path, "utf8")).toBe("whole\nha\nnext\nother\nha\nlast\n");
  });

  test("are at their path although the file before was renamed, removed or replaced", () => {
    using directory = temporaryDirectory();
    const at = (name: string): string => join(directory.path, name);
    const [path, old, draft] = [at("a.log"), at("old.log"), at("draft")];
    appendLines(path, ["one"]);
    renameSync(path, old);
    appendLines(path, ["two"]);
    expect([path, old].map((file) => readFileSync(file, "utf8"))).toStrictEqual(["two\n", "one\n"]);
    rmSync(path);
    appendLines(path, ["three"]);
    writeFileSync(draft, "seven\n");
    renameSync(draft, path);
    appendLines(path, ["four"]);
    expect(readFileSync(path, "utf8")).toBe("seven\nfour\n");
  });

  test.skipIf(process.platform !== "linux")("keep few files open", () => {
    using directory = temporaryDirectory();
    const openFiles = (): number =>
      readdirSync("/proc/self/fd").filter((descriptor) =>
        attempt(() => readlinkSync(`/proc/self/fd/${descriptor}`))?.startsWith(directory.path),
      ).length;
    for (let round = 0; round < 2; round++) {
      for (let file = 0; file < 600; file++) appendLines(join(directory.path, `${file}.log`), [String(round)]);
    }
    expect(openFiles()).toBe(512);
    expect(readFileSync(join(directory.path, "7.log"), "utf8")).toBe("0\n1\n");
  });

  test("are not written through a symbolic link, wherever it leads", () => {
    using directory = temporaryDirectory();
    const [target, nowhere] = [join(directory.path, "target"), join(directory.path, "nowhere")];
    writeFileSync(target, "mine");
    for (const to of [target, nowhere]) {
      const path = `${to}.log`;
      symlinkSync(to, path);
      expect(() => appendLines(path, ["line"])).toThrow(`${path} is a symbolic link, which is not followed`);
    }
    expect(readFileSync(target, "utf8")).toBe("mine");
    expect(existsSync(nowhere)).toBe(false);
  });

  test("are not written through a symbolic link instead of the folder", () => {
    using directory = temporaryDirectory();
    const logs = join(directory.path, "logs");
    mkdirSync(join(directory.path, "elsewhere"));
    symlinkSync(join(directory.path, "elsewhere"), logs);
    expect(() => appendLines(join(logs, "a.log"), ["line"])).toThrow(`${logs} is a symbolic link`);
    expect(existsSync(join(directory.path, "elsewhere/a.log"))).toBe(false);
  });

  test.skipIf(process.platform === "win32")("are refused by a pipe, which is not waited for", () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, "a.log");
    expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
    expect(() => appendLines(path, ["line"])).toThrow(`${path} is a pipe, a device or the like where a file should be`);
  });

  test("are refused by a folder instead of the file", () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, "a.log");
    mkdirSync(path);
    expect(() => appendLines(path, ["line"])).toThrow(`${path} is a folder where a file should be`);
  });

  test("make no folder above their own, so that a removed agent stays removed", () => {
    using directory = temporaryDirectory();
    expect(() => appendLines(join(directory.path, "agent/logs/a.log"), ["line"])).toThrow("ENOENT");
    expect(existsSync(join(directory.path, "agent"))).toBe(false);
  });
});

import { describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { appendLines, type LineFile, openLineFile } from "./line-file.ts";

const MODULE = join(import.meta.dir, "line-file.ts");

const open = (path: string): LineFile => openLineFile(path);

/** Runs code with a file of lines in a process whose files may not grow beyond 4 KiB, and gives what it prints. */
async function limited(path: string, code: string): Promise<string> {
  const program = `
    const { appendFileSync } = await import("node:fs");
    const { openLineFile } = await import(${JSON.stringify(MODULE)});
    const path = ${JSON.stringify(path)};
    const file = openLineFile(path);
    const append = (size) => {
      try { file.append("x".repeat(size)); } catch (error) { console.log(error.message); }
    };
    ${code}
    file.close();
  `;
  const child = Bun.spawn(["bash", "-c", 'ulimit -f 4; exec "$0" -e "$1"', process.execPath, program], {
    stdout: "pipe",
  });
  return child.stdout.text();
}

describe("an open file of lines", () => {
  test("holds a line as soon as it is appended, and is its owner's alone", () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, "a.jsonl");
    const file = open(path);
    file.append(JSON.stringify({ text: "héllo\n" }));
    file.append("1", "[2]");
    expect(readFileSync(path, "utf8")).toBe('{"text":"héllo\\n"}\n1\n[2]\n');
    expect(file.size).toBe(statSync(path).size);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    file.close();
  });

  test("continues behind whole lines and behind half a line", () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, "a.jsonl");
    for (const before of ["", "whole\n", "whole\nha"]) {
      writeFileSync(path, before);
      const file = open(path);
      file.append("1");
      file.append("2");
      file.close();
      expect(readFileSync(path, "utf8")).toBe(`${before}${before.endsWith("ha") ? "\n" : ""}1\n2\n`);
    }
  });

  test("syncs of one moment all resolve, again and again", async () => {
    using directory = temporaryDirectory();
    const file = open(join(directory.path, "a.jsonl"));
    for (let round = 0; round < 20; round++) {
      file.append(String(round));
      await Promise.all([file.sync(), file.sync(), file.sync()]);
    }
    file.close();
    expect(readFileSync(join(directory.path, "a.jsonl"), "utf8").split("\n")).toHaveLength(21);
  });

  test("a sync brings the named folders to the disk with a new file, and fails if one cannot be synced", async () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, "a.jsonl");
    const options = { folders: [directory.path, join(directory.path, "missing")] };
    for (const fails of [true, false]) {
      const file = openLineFile(path, options);
      file.append("line");
      const synced = file.sync();
      if (fails) await expect(synced).rejects.toThrow("ENOENT");
      else await synced;
      file.close();
    }
  });

  test("refuses lines and syncs once it is closed, and a sync that has begun is completed before", async () => {
    using directory = temporaryDirectory();
    const file = open(join(directory.path, "a.jsonl"));
    file.append("1");
    const begun = file.sync();
    file.close();
    file.close();
    expect(await begun).toBeUndefined();
    expect(() => file.append("2")).toThrow("it is closed");
    const other = open(join(directory.path, "b.jsonl"));
    other.append("1");
    other.close();
    await expect(other.sync()).rejects.toThrow("it is closed");
  });

  test("what the check throws refuses the file, which stays as it was", () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, "a.jsonl");
    writeFileSync(path, "before\n");
    const check = (): void => {
      throw new Error("not ours");
    };
    expect(() => openLineFile(path, { check })).toThrow("not ours");
    expect(readFileSync(path, "utf8")).toBe("before\n");
  });

  test.skipIf(process.platform !== "linux")(
    "of a line that does not fit nothing stays, and the next one that fits is written",
    async () => {
      using directory = temporaryDirectory();
      const path = join(directory.path, "a.jsonl");
      expect(await limited(path, "append(100); append(10_000); append(200); await file.sync();")).toContain("EFBIG");
      const lines = readFileSync(path, "utf8").trimEnd().split("\n");
      expect(lines.map(({ length }) => length)).toStrictEqual([100, 200]);
    },
  );

  test.skipIf(process.platform !== "linux")(
    "half a line stays if somebody else has written meanwhile, and nothing is added to it",
    async () => {
      using directory = temporaryDirectory();
      const path = join(directory.path, "a.jsonl");
      const code = 'append(100); appendFileSync(path, "of somebody else\\n"); append(10_000); append(10);';
      expect(await limited(path, code)).toMatch(/EFBIG.*\nan earlier line was not written whole\n$/);
      expect(readFileSync(path, "utf8")).toMatch(/^x{100}\nof somebody else\nx+$/);
      const next = open(path);
      next.append("next");
      next.close();
      expect(readFileSync(path, "utf8")).toEndWith("x\nnext\n");
    },
  );

  test("does not make its folder", () => {
    using directory = temporaryDirectory();
    expect(() => open(join(directory.path, "missing/a.jsonl"))).toThrow("ENOENT");
  });
});

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

  test("are not spoiled by half a line, as a crash leaves it", () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, "a.log");
    appendFileSync(path, "whole\nha");
    appendLines(path, ["next"]);
    expect(readFileSync(path, "utf8")).toBe("whole\nha\nnext\n");
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

import { describe, expect, test } from "bun:test";
import { openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { LineFile, openLineFile } from "./line-file.ts";

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

  test.skipIf(process.platform !== "linux")(
    "reports a failed sync again and again, since it is unknown which lines are lost",
    async () => {
      // A device that takes every line and refuses to sync.
      const descriptor = openSync("/dev/null", "w");
      const file = new LineFile({ descriptor, inode: 0, size: 0, folders: [], isTorn: false });
      file.append("lost");
      expect(file.sync()).rejects.toThrow("EINVAL");
      await file.sync().catch(() => {});
      expect(file.sync()).rejects.toThrow("earlier lines did not reach the disk");
      expect(() => file.append("next")).toThrow("earlier lines did not reach the disk");
      file.close();
    },
  );

  test("does not make its folder", () => {
    using directory = temporaryDirectory();
    expect(() => open(join(directory.path, "missing/a.jsonl"))).toThrow("ENOENT");
  });
});

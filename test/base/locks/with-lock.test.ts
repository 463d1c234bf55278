import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tryLock, withLock } from "@mdx-ai/base/locks";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const MODULE = join(import.meta.dir, "../../../packages/base/src/locks/with-lock.ts");

test("processes that count together lose no number", async () => {
  using directory = temporaryDirectory();
  const [lock, count] = [join(directory.path, "lock"), join(directory.path, "count")];
  writeFileSync(count, "0");
  const program = `
    const { readFileSync, writeFileSync } = await import("node:fs");
    const { withLock } = await import(${JSON.stringify(MODULE)});
    for (let time = 0; time < 20; time++) {
      await withLock(${JSON.stringify(lock)}, async () => {
        const before = Number(readFileSync(${JSON.stringify(count)}, "utf8"));
        await Bun.sleep(1);
        writeFileSync(${JSON.stringify(count)}, String(before + 1));
      });
    }
  `;
  const children = [1, 2, 3].map(() => Bun.spawn([process.execPath, "-e", program], { stderr: "inherit" }));
  expect(await Promise.all(children.map(({ exited }) => exited))).toStrictEqual([0, 0, 0]);
  expect(readFileSync(count, "utf8")).toBe("60");
  expect(readdirSync(directory.path)).toStrictEqual(["count"]);
});

test("the lock is released after work that fails, and one that a dead process left is taken over", async () => {
  using directory = temporaryDirectory();
  const lock = join(directory.path, "lock");
  const dead = Bun.spawn(["true"]);
  await dead.exited;
  for (const left of [JSON.stringify({ pid: dead.pid, since: "2026-11-21T09:00:00Z" }), String(dead.pid)]) {
    writeFileSync(lock, left);
    const work = (): never => {
      expect(existsSync(lock)).toBe(true);
      throw new Error("it failed");
    };
    // As of a process that was killed while it took over the lock.
    writeFileSync(`${lock}.evict`, left);
    await expect(withLock(lock, work)).rejects.toThrow("it failed");
    expect(readdirSync(directory.path)).toStrictEqual([]);
    writeFileSync(`${lock}.evict`, left);
    await expect(withLock(lock, work)).rejects.toThrow("it failed");
    expect(readdirSync(directory.path)).toStrictEqual([]);
  }
});

test("a lock whose folder cannot be used fails with that cause, and not with the cleanup's", () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "file");
  writeFileSync(file, "");
  expect(() => tryLock(join(file, "lock"))).toThrow(/ENOTDIR.*open/);
});

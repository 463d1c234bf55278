import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { underLock } from "../../../packages/runtime/src/sandbox/run-folder.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const HOUR = 3_600;

/** The lock, dated as if it had been taken so many seconds ago. */
function age(lock: string, seconds: number): void {
  const time = Date.now() / 1000 - seconds;
  for (const path of [...readdirSync(lock).map((name) => join(lock, name)), lock]) utimesSync(path, time, time);
}

/** Another process that does some work, in JavaScript, under the lock. */
function startOther(lock: string, work: string): Bun.Subprocess {
  const source = join(import.meta.dir, "../../../packages/runtime/src/sandbox/run-folder.ts");
  const script = `import { existsSync, readFileSync, writeFileSync } from "node:fs";
    import { underLock } from ${JSON.stringify(source)};
    const lock = ${JSON.stringify(lock)};
    ${work}`;
  return Bun.spawn([process.execPath, "--eval", script], { stdio: ["ignore", "ignore", "inherit"] });
}

describe("work under a lock", () => {
  test("leaves none behind, also where it throws", () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "lock");
    expect(underLock(path, () => readdirSync(folder.path))).toStrictEqual(["lock"]);
    const fail = (): never => {
      throw new Error("of the work");
    };
    expect(() => underLock(path, fail)).toThrow("of the work");
    expect(readdirSync(folder.path)).toStrictEqual([]);
  });

  test.each([
    ["long ago", HOUR],
    ["before the clock was set back", -HOUR],
  ])("is done although somebody died %s and left the lock", (_when, seconds) => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "lock");
    mkdirSync(path);
    writeFileSync(join(path, "dead"), "");
    age(path, seconds);
    expect(underLock(path, () => "done")).toBe("done");
    expect(readdirSync(folder.path)).toStrictEqual([]);
  });

  test("that takes so long that another process takes over does not free the lock of that process", async () => {
    using folder = temporaryDirectory();
    const [path, held, done] = ["lock", "held", "done"].map((name) => join(folder.path, name));
    if (!path || !held || !done) throw new Error("no paths");
    const other = underLock(path, () => {
      age(path, HOUR);
      const process = startOther(
        path,
        `underLock(lock, () => {
          writeFileSync(${JSON.stringify(held)}, "");
          while (!existsSync(${JSON.stringify(done)})) Bun.sleepSync(1);
        });`,
      );
      while (!existsSync(held)) Bun.sleepSync(1);
      return process;
    });
    const isStillHeld = existsSync(path);
    writeFileSync(done, "");
    expect(await other.exited).toBe(0);
    expect(isStillHeld).toBe(true);
    expect(existsSync(path)).toBe(false);
  });

  test("of several processes is done by one at a time", async () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "lock");
    const count = join(folder.path, "count");
    writeFileSync(count, "0");
    const work = `const count = ${JSON.stringify(count)};
      for (let round = 0; round < 100; round += 1)
        underLock(lock, () => writeFileSync(count, String(Number(readFileSync(count, "utf8")) + 1)));`;
    const others = [1, 2, 3].map(() => startOther(path, work));
    for (const other of others) expect(await other.exited).toBe(0);
    expect(readFileSync(count, "utf8")).toBe("300");
    expect(readdirSync(folder.path)).toStrictEqual(["count"]);
  });
});

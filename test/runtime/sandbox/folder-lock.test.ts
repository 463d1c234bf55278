import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { underLock } from "../../../packages/runtime/src/sandbox/folder-lock.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const HOUR = 3_600;

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
    ["long ago", -HOUR],
    ["before the clock was set back", HOUR],
  ])("is done although somebody died %s and left the lock", (_when, seconds) => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "lock");
    mkdirSync(path);
    const time = Date.now() / 1000 + seconds;
    utimesSync(path, time, time);
    expect(underLock(path, () => "done")).toBe("done");
  });
});

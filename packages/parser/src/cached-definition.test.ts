import { describe, expect, test } from "bun:test";
import { chownSync, statSync } from "node:fs";
import { greeting, poison, userWithCache } from "../../../test/support/poisoned-cache.ts";

const isRoot = process.getuid?.() === 0;

describe("the cache of parsed definitions", () => {
  test("is the user's alone, and used", async () => {
    const { home, cache } = await userWithCache();
    using _home = home;
    expect(statSync(cache).mode & 0o077).toBe(0);
    poison(cache);
    expect(await greeting(home)).toBe("Poisoned Ada\n");
  });

  test.skipIf(!isRoot)("of another user is not believed", async () => {
    const { home, cache } = await userWithCache();
    using _home = home;
    poison(cache);
    chownSync(cache, 1, 1);
    expect(await greeting(home)).toBe("Hello Ada\n");
  });
});

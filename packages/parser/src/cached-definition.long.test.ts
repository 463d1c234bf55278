import { describe, expect, test } from "bun:test";
import { chmodSync, statSync } from "node:fs";
import { greeting, poison, userWithCache } from "../../../test/support/poisoned-cache.ts";

describe("the cache of parsed definitions", () => {
  test("is emptied if others could write there: no code of theirs runs", async () => {
    const { home, cache } = await userWithCache();
    using _home = home;
    poison(cache);
    chmodSync(cache, 0o777);
    expect(await greeting(home)).toBe("Hello Ada\n");
    expect(statSync(cache).mode & 0o077).toBe(0);
    expect(await greeting(home)).toBe("Hello Ada\n");
  });
});

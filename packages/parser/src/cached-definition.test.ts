import { describe, expect, test } from "bun:test";
import { chownSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, writeFiles } from "../../../test/support/agent-files.ts";
import { runCommandLine } from "../../../test/support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { cacheText, isDefinition, readCacheEntry } from "./definition-cache.ts";

const isRoot = process.getuid?.() === 0;

/** A user whose agent is trusted with its edits, and was parsed. */
async function userWithCache(): Promise<{ readonly home: TemporaryDirectory; readonly cache: string }> {
  const home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": GREETING_AGENT });
  await runCommandLine(["trust", "agent", "--edits"], { home: home.path });
  return { home, cache: join(home.path, ".cache/mdx-ai/definitions") };
}

const greeting = async (home: TemporaryDirectory): Promise<string> =>
  (await runCommandLine(["tool", "agent", "greet", "name=Ada"], { home: home.path })).stdout;

/** Changes the code in a cached definition, and its hash with it, as one who knows the program would. */
function poison(cache: string): void {
  for (const name of readdirSync(cache).filter((file) => file.endsWith(".json"))) {
    const path = join(cache, name);
    const entry = JSON.stringify(readCacheEntry(readFileSync(path, "utf8"), isDefinition));
    expect(entry).toContain("Hello");
    writeFileSync(path, cacheText(JSON.parse(entry.replaceAll("Hello", "Poisoned"))));
  }
}

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

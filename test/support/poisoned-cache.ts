import { expect } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheText, isDefinition, readCacheEntry } from "../../packages/parser/src/definition-cache.ts";
import { GREETING_AGENT, writeFiles } from "./agent-files.ts";
import { runCommandLine } from "./run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "./temporary-directory.ts";

/** A user whose agent is trusted with its edits, and was parsed. */
export async function userWithCache(): Promise<{ readonly home: TemporaryDirectory; readonly cache: string }> {
  const home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": GREETING_AGENT });
  await runCommandLine(["trust", "agent", "--edits"], { home: home.path });
  return { home, cache: join(home.path, ".cache/mdx-ai/definitions") };
}

export const greeting = async (home: TemporaryDirectory): Promise<string> =>
  (await runCommandLine(["tool", "agent", "greet", "name=Ada"], { home: home.path })).stdout;

/** Changes the code in a cached definition, and its hash with it, as one who knows the program would. */
export function poison(cache: string): void {
  for (const name of readdirSync(cache).filter((file) => file.endsWith(".json"))) {
    const path = join(cache, name);
    const entry = JSON.stringify(readCacheEntry(readFileSync(path, "utf8"), isDefinition));
    expect(entry).toContain("Hello");
    writeFileSync(path, cacheText(JSON.parse(entry.replaceAll("Hello", "Poisoned"))));
  }
}

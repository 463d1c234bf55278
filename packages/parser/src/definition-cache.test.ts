import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readAgentDirectory } from "@mdx-ai/parser";
import { agentText } from "../../../test/support/agent-text.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { cacheFileName, pruneDaily, pruneDefinitions } from "./definition-cache.ts";

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.now();

const nameOf = (index: number): string => `${index.toString(16).padStart(64, "0")}.json`;

/** A file that was last used so many days ago. */
function put(folder: string, name: string, days: number): void {
  writeFileSync(join(folder, name), "{}");
  setAge(join(folder, name), days);
}

function setAge(path: string, days: number): void {
  const time = new Date(NOW - days * DAY);
  utimesSync(path, time, time);
}

const namesIn = (folder: string): readonly string[] => readdirSync(folder).toSorted();

describe("the name of a cached definition", () => {
  const files = { agent: { path: "agent.mdx", text: "x" }, skills: [], modules: [], folders: [] };
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(join(import.meta.dir, "../../cli/package.json"), "utf8"),
  );
  const maker = { version: manifest.version, bun: Bun.version };

  test("is that of the program's version and of this Bun", () => {
    expect(cacheFileName(files)).toBe(cacheFileName(files, maker));
  });

  test.each([
    ["another version of the program", { ...maker, version: `${maker.version}-next` }],
    ["another version of Bun", { ...maker, bun: "1.0.0" }],
  ])("is another one for %s", (_name, other) => {
    expect(cacheFileName(files, other)).not.toBe(cacheFileName(files, maker));
  });
});

describe("pruning the cache", () => {
  test("removes what was not used for 30 days", async () => {
    using folder = temporaryDirectory();
    put(folder.path, nameOf(1), 31);
    put(folder.path, nameOf(2), 29);
    await pruneDefinitions(folder.path, NOW);
    expect(namesIn(folder.path)).toStrictEqual([nameOf(2)]);
  });

  test("keeps the 500 entries that were used last, however many processes prune at once", async () => {
    using folder = temporaryDirectory();
    for (let index = 0; index < 520; index++) put(folder.path, nameOf(index), index / 100);
    await Promise.all(Array.from({ length: 4 }, () => pruneDefinitions(folder.path, NOW)));
    expect(namesIn(folder.path)).toStrictEqual(Array.from({ length: 500 }, (_, index) => nameOf(index)));
  });

  test("removes old drafts of its own, and nothing else that it did not write", async () => {
    using folder = temporaryDirectory();
    const draft = (index: number): string => `${nameOf(index)}.${"0".repeat(8)}-0000-0000-0000-${"0".repeat(12)}.tmp`;
    const foreign = ["notes.txt", "settings.json", nameOf(3).toUpperCase(), `${nameOf(4)}.bak`, "0".repeat(64)];
    for (const name of foreign) put(folder.path, name, 400);
    put(folder.path, draft(1), 2);
    put(folder.path, draft(2), 0.5);
    mkdirSync(join(folder.path, nameOf(5)));
    setAge(join(folder.path, nameOf(5)), 400);
    symlinkSync("notes.txt", join(folder.path, nameOf(6)));
    const kept = [...foreign, nameOf(5), nameOf(6)];
    await pruneDefinitions(folder.path, NOW);
    expect(namesIn(folder.path)).toStrictEqual([...kept, draft(2)].toSorted());
    await pruneDefinitions(folder.path, NOW + 100 * DAY);
    expect(namesIn(folder.path)).toStrictEqual(kept.toSorted());
  });

  test("happens at most once a day", async () => {
    using folder = temporaryDirectory();
    await pruneDaily(folder.path, NOW);
    put(folder.path, nameOf(1), 40);
    await pruneDaily(folder.path, NOW + DAY / 2);
    expect(namesIn(folder.path)).toStrictEqual([nameOf(1), "last-pruned"]);
    await pruneDaily(folder.path, NOW + DAY + 60_000);
    expect(namesIn(folder.path)).toStrictEqual(["last-pruned"]);
    put(folder.path, nameOf(1), 40);
    await pruneDaily(folder.path, NOW + DAY + 120_000);
    expect(namesIn(folder.path)).toStrictEqual([nameOf(1), "last-pruned"]);
  });
});

describe("reading an agent directory with a cache", () => {
  const agentIn = (folder: string): string => {
    mkdirSync(join(folder, "agent/skills"), { recursive: true });
    writeFileSync(join(folder, "agent/agent.mdx"), agentText(""));
    return join(folder, "agent");
  };

  test("marks an entry as used", async () => {
    using home = temporaryDirectory();
    const [path, cacheDirectory] = [agentIn(home.path), join(home.path, "cache")];
    await readAgentDirectory(path, { cacheDirectory });
    const entry = join(cacheDirectory, namesIn(cacheDirectory).find((name) => name.endsWith(".json")) ?? "");
    setAge(entry, 29);
    await readAgentDirectory(path, { cacheDirectory });
    expect(statSync(entry).mtimeMs).toBeGreaterThan(NOW - DAY);
  });

  test("prunes the cache after a new entry was written", async () => {
    using home = temporaryDirectory();
    const [path, cacheDirectory] = [agentIn(home.path), join(home.path, "cache")];
    mkdirSync(cacheDirectory);
    put(cacheDirectory, nameOf(1), 31);
    await readAgentDirectory(path, { cacheDirectory });
    await eventually(() => !namesIn(cacheDirectory).includes(nameOf(1)));
    expect(namesIn(cacheDirectory)).toHaveLength(2);
  });
});

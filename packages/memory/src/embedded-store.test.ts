import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureMemory, MemoryStoreError, openEmbeddedStore } from "@mdx-ai/memory";
import { storeSuite } from "../../../test/memory/store-suite.ts";
import { emptyStore, entry, type TemporaryStore, temporaryStore } from "../../../test/support/open-store.ts";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { migrate } from "./embedded/schema.ts";

storeSuite("embedded store", emptyStore);

test("an entry of an id that is there is not added again, and stays as it is", async () => {
  await using opened = await temporaryStore();
  const { store, ids } = opened;
  const first = await store.addEntry(...ids, entry("The first", { entryId: "one" }));
  expect(await store.addEntry(...ids, entry("The second", { entryId: "one" }))).toStrictEqual(first);
  const added = await store.addEntries(...ids, [entry("Again", { entryId: "one" }), entry("New", { entryId: "two" })]);
  expect(added).toStrictEqual([false, true]);
  expect([...store.entries(...ids)].map(({ rawEntry }) => rawEntry)).toStrictEqual(["The first", "New"]);
  expect(await store.search(...ids, "again second")).toStrictEqual([]);
});

test("either all entries of a call are added or none", async () => {
  await using opened = await temporaryStore();
  const { store, ids } = opened;
  const adding = store.addEntries(...ids, [entry("Good"), entry("")]);
  expect(adding).rejects.toBeInstanceOf(MemoryStoreError);
  await adding.catch(() => {});
  expect([...store.entries(...ids)]).toStrictEqual([]);
});

test("entries are listed by when they were said, between times and by their source", async () => {
  await using opened = await temporaryStore();
  const { store, ids } = opened;
  const days = ["2026-05-03", "2026-05-01", "2026-05-02"];
  const tags = { source: "tool:read_page" };
  await store.addEntries(
    ...ids,
    days.map((day) => entry(day, { createdAt: day, ...(day.endsWith("2") && { tags }) })),
  );
  const listed = async (page: object): Promise<readonly string[]> =>
    (await store.listEntries(...ids, page)).map(({ rawEntry }) => rawEntry);
  expect(await listed({})).toStrictEqual(["2026-05-03", "2026-05-02", "2026-05-01"]);
  expect(await listed({ before: "2026-05-03" })).toStrictEqual(["2026-05-02", "2026-05-01"]);
  expect(await listed({ after: "2026-05-01" })).toStrictEqual(["2026-05-03", "2026-05-02"]);
  expect(await listed({ before: "2026-05-03", after: "2026-05-01" })).toStrictEqual(["2026-05-02"]);
  expect(await listed({ source: "tool:read_page" })).toStrictEqual(["2026-05-02"]);
  expect(await store.forgetSource(...ids, "tool:read_page")).toHaveLength(1);
  expect(await listed({})).toStrictEqual(["2026-05-03", "2026-05-01"]);
});

test("keys are redacted before anything is stored", async () => {
  await using opened = await temporaryStore({ redact: (text) => text.replaceAll("sk-secret", "[redacted]") });
  const { store, ids, folder } = opened;
  await store.addEntry(...ids, entry("My key is sk-secret", { summary: "sk-secret", tags: { topic: "sk-secret" } }));
  await store.putContext(...ids, "The key is sk-secret");
  expect(await store.getContext(...ids)).toBe("The key is [redacted]");
  await store.close();
  expect(bytesOf(folder)).not.toContain("sk-secret");
});

test("the files are their owner's alone, and a link is refused", async () => {
  await using opened = await temporaryStore();
  const { store, ids, folder, path } = opened;
  await store.addEntry(...ids, entry("Hello"));
  const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
  expect(Object.fromEntries(modes)).toStrictEqual({
    "memory.db": 0o600,
    "memory.db-wal": 0o600,
    "memory.db-shm": 0o600,
  });
  symlinkSync(path, join(folder, "link.db"));
  expect(openEmbeddedStore(join(folder, "link.db"))).rejects.toBeInstanceOf(MemoryStoreError);
});

const WORDS = "xylophone quagmire zephyrus kumquats Übermensch".split(" ");

test("what is forgotten is in no file", async () => {
  await using opened = await temporaryStore();
  const { store, ids, folder } = opened;
  // Enough that the index has several pages, and its keys name words of the entries.
  const many = Array.from({ length: 3_000 }, (_, at) => entry(`Note ${at} about word${at * 7919}`));
  await store.addEntries(...ids, many);
  const tags = { speaker: "Quentin", session: "hidden" };
  const forgotten = WORDS.map((word, at) =>
    entry(`I saw the ${word} today`, { entryId: word, tags, summary: `${word} ${at}` }),
  );
  for (const one of forgotten) await store.addEntry(...ids, one);
  await store.addEntries(...ids, many.slice(0, 500));
  expect(hidden(folder)).toContain("xylophon");
  expect(await store.forgetEntries(...ids, [...WORDS, "unknown"])).toStrictEqual(WORDS);
  expect(hidden(folder)).toStrictEqual([]);
  expect(await store.search(...ids, WORDS.join(" "))).toStrictEqual([]);
  expect(await store.verify()).toStrictEqual([]);
  await store.close();
  expect(hidden(folder)).toStrictEqual([]);
});

/** The forgotten words, names and stems that the files hold. */
const hidden = (folder: string): readonly string[] => {
  const bytes = bytesOf(folder).toLowerCase();
  const wanted = [...WORDS.map((word) => word.toLowerCase()), "xylophon", "quagmir", "zephyru", "kumquat", "quentin"];
  return wanted.filter((word) => bytes.includes(word));
};

test("a process that ended while it forgot is finished by the next", async () => {
  await using opened = await temporaryStore();
  const { store, ids, folder, path } = opened;
  await store.addEntry(...ids, entry("I saw the xylophone", { entryId: "one" }));
  await store.close();
  const { Database } = await import("bun:sqlite");
  const database = new Database(path);
  database.run("DELETE FROM entry_index; DELETE FROM entry_terms; DELETE FROM words; DELETE FROM entries");
  database.run("INSERT INTO facts (name, value) VALUES ('cleaning', '1')");
  database.close();
  expect(hidden(folder)).toContain("xylophone");
  const next = await openEmbeddedStore(path);
  expect(hidden(folder)).toStrictEqual([]);
  await next.close();
});

test("two open stores see each other's entries, and none is lost", async () => {
  await using opened = await temporaryStore();
  const { store, ids, path } = opened;
  const other = await openEmbeddedStore(path);
  for (let at = 0; at < 20; at++) await (at % 2 === 0 ? store : other).addEntry(...ids, entry(`Entry ${at}`));
  expect((await store.search(...ids, "entry", { limit: 100 })).length).toBe(20);
  expect(await other.forgetEntries(...ids, [(await store.newestEntries(...ids))[0]?.entryId ?? ""])).toHaveLength(1);
  expect(await store.newestEntries(...ids, { limit: 100 })).toHaveLength(19);
  await other.close();
});

test("processes that open a new store at once share its memory", async () => {
  using folder = temporaryDirectory();
  const path = join(folder.path, "memory.db");
  const name = { vault: "Home", memory: "Talks", memoryType: "chat" };
  const stores = await Promise.all(Array.from({ length: 4 }, () => openEmbeddedStore(path)));
  const memories = await Promise.all(stores.map((store) => ensureMemory(store, name)));
  expect(new Set(memories.map(({ memoryId }) => memoryId)).size).toBe(1);
  for (const store of stores) await store.close();
});

test("an index of another version is made anew", async () => {
  await using opened = await temporaryStore();
  const { store, ids, path } = opened;
  await store.addEntry(...ids, entry("The blue house", { tags: { speaker: "Anna" } }));
  await store.close();
  const { Database } = await import("bun:sqlite");
  const database = new Database(path);
  database.run(
    "INSERT INTO entry_index (entry_index) VALUES ('delete-all'); DELETE FROM entry_terms; DELETE FROM speakers",
  );
  database.run("UPDATE facts SET value = '0' WHERE name = 'index_version'");
  database.close();
  const next = await openEmbeddedStore(path);
  expect((await next.search(...ids, "house")).map(({ entry: { rawEntry } }) => rawEntry)).toStrictEqual([
    "The blue house",
  ]);
  expect(await next.verify()).toStrictEqual([]);
  await next.close();
});

test("changes of the tables are applied once, in order", async () => {
  const { Database } = await import("bun:sqlite");
  const database = new Database(":memory:");
  const steps = ["CREATE TABLE a (x)", "ALTER TABLE a ADD COLUMN y"].map(
    (sql) => (one: typeof database) => void one.run(sql),
  );
  migrate(database, steps.slice(0, 1));
  migrate(database, steps);
  migrate(database, steps);
  database.run("INSERT INTO a (x, y) VALUES (1, 2)");
  expect(database.query("PRAGMA user_version").get()).toEqual({ user_version: 2 });
  expect(() => migrate(database, steps.slice(0, 1))).toThrow("was written by a newer version of mdx-ai (format 2)");
});

test("a file that is no store is damaged, and one of a later program is left alone", async () => {
  using folder = temporaryDirectory();
  const path = join(folder.path, "memory.db");
  writeFileSync(path, "This is a text that is long enough to be no database at all. ".repeat(20));
  expect(await problemOf(openEmbeddedStore(path))).toBe("damaged");
  const later = join(folder.path, "later.db");
  const { Database } = await import("bun:sqlite");
  const database = new Database(later);
  database.run("PRAGMA user_version = 99");
  database.close();
  expect(await problemOf(openEmbeddedStore(later))).toBe("unavailable");
  expect(await problemOf(openEmbeddedStore(join(folder.path, "no/folder.db")))).toBe("unavailable");
});

test("verify reports what entries and index disagree on", async () => {
  await using opened = await temporaryStore();
  const { store, ids, path } = opened;
  await store.addEntry(...ids, entry("The blue house"));
  const { Database } = await import("bun:sqlite");
  const database = new Database(path);
  database.run("DELETE FROM entry_terms");
  database.close();
  expect(await store.verify()).toContain("1 entries are not in the index");
});

const problemOf = (opening: Promise<TemporaryStore["store"]>): Promise<unknown> =>
  opening.then(
    () => "opened",
    (error: unknown) => (error instanceof MemoryStoreError ? error.problem : error),
  );

/** All bytes of the files in a folder. */
const bytesOf = (folder: string): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "latin1"))
    .concat(readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")))
    .join("\n");

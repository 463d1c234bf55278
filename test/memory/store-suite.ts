import { describe, expect, test } from "bun:test";
import { LIMITS, type MemoryStore, MemoryStoreError, type NewEntry } from "@mdx-ai/memory";

/** An open store that is closed, with all that belongs to it, when the test ends. */
export interface OpenStore extends AsyncDisposable {
  readonly store: MemoryStore;
}

interface OpenMemory extends OpenStore {
  readonly vaultId: string;
  readonly memoryId: string;
}

/** What every `MemoryStore` does. `open` makes a new, empty store. */
export function storeSuite(name: string, open: () => Promise<OpenStore>): void {
  const openMemory = async (): Promise<OpenMemory> => {
    const opened = await open();
    const { vaultId } = await opened.store.createVault({ title: "Home" });
    const { memoryId } = await opened.store.createMemory(vaultId, { title: "Talks", memoryType: "chat" });
    return { ...opened, vaultId, memoryId };
  };
  describe(`${name}: vaults and memories`, () => vaultTests(open));
  describe(`${name}: entries`, () => entryTests(openMemory));
  describe(`${name}: contexts`, () => contextTests(openMemory));
  describe(`${name}: search`, () => searchTests(openMemory));
}

const entry = (text: string, more: Partial<NewEntry> = {}): NewEntry => ({ rawEntry: text, summary: "", ...more });

const problemOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof MemoryStoreError ? error.problem : `no MemoryStoreError, but ${String(error)}`;
};

/** Texts, newest first. */
const listed = async ({ store, vaultId, memoryId }: OpenMemory, page = {}): Promise<readonly string[]> =>
  (await store.listEntries(vaultId, memoryId, page)).map(({ rawEntry }) => rawEntry);

const found = async ({ store, vaultId, memoryId }: OpenMemory, query: string, now?: string): Promise<string[]> => {
  const options = now === undefined ? {} : { now };
  return (await store.search(vaultId, memoryId, query, options)).map(({ entry: { rawEntry } }) => rawEntry);
};

async function addAll(memory: OpenMemory, entries: readonly NewEntry[]): Promise<void> {
  for (const one of entries) await memory.store.addEntry(memory.vaultId, memory.memoryId, one);
  await memory.store.awaitConsistency(memory.memoryId);
}

function vaultTests(open: () => Promise<OpenStore>): void {
  test("a vault keeps its id, title and description", async () => {
    await using opened = await open();
    const { store } = opened;
    const made = await store.createVault({ vaultId: "home", title: "Home", description: "What we say" });
    expect(made).toMatchObject({ vaultId: "home", title: "Home", description: "What we say" });
    expect(Number.isNaN(Date.parse(made.createdAt))).toBe(false);
    const other = await store.createVault({ title: "Work" });
    expect((await store.listVaults()).map(({ vaultId }) => vaultId).toSorted()).toEqual(
      ["home", other.vaultId].toSorted(),
    );
  });

  test("memories belong to a vault", async () => {
    await using opened = await open();
    const { store } = opened;
    const home = await store.createVault({ title: "Home" });
    const work = await store.createVault({ title: "Work" });
    const memory = await store.createMemory(home.vaultId, { title: "Talks", memoryType: "chat", description: "All" });
    expect(memory).toMatchObject({ vaultId: home.vaultId, title: "Talks", memoryType: "chat", description: "All" });
    expect(await store.listMemories(home.vaultId)).toStrictEqual([memory]);
    expect(await store.listMemories(work.vaultId)).toStrictEqual([]);
    expect(await store.getMemory(home.vaultId, memory.memoryId)).toStrictEqual(memory);
    expect(await problemOf(store.getMemory(work.vaultId, memory.memoryId))).toBe("unknown_memory");
  });

  test("what does not exist and what exists already are errors", async () => {
    await using opened = await open();
    const { store } = opened;
    const { vaultId } = await store.createVault({ title: "Home" });
    const memory = { title: "Talks", memoryType: "chat" };
    await store.createMemory(vaultId, memory);
    expect(await problemOf(store.createVault({ title: "Home" }))).toBe("exists");
    expect(await problemOf(store.createMemory(vaultId, memory))).toBe("exists");
    expect(await problemOf(store.createMemory("nowhere", memory))).toBe("unknown_vault");
    expect(await problemOf(store.listMemories("nowhere"))).toBe("unknown_vault");
    expect(await problemOf(store.getMemory(vaultId, "nothing"))).toBe("unknown_memory");
    expect(await problemOf(store.addEntry(vaultId, "nothing", entry("Hello")))).toBe("unknown_memory");
    expect(await problemOf(store.awaitConsistency("nothing"))).toBe("unknown_memory");
  });
}

function entryTests(openMemory: () => Promise<OpenMemory>): void {
  test("an entry comes back with its text, summary and tags", async () => {
    await using memory = await openMemory();
    const { store, vaultId, memoryId } = memory;
    const text = "Grüße 👋 from Zürich\n\tand “quotes” – 'single', \"double\"; DROP TABLE entries;";
    await addAll(memory, [entry(text, { summary: "Anna greets", tags: { speaker: "Anna", topic: "hello" } })]);
    const [kept] = await store.listEntries(vaultId, memoryId);
    expect(kept).toMatchObject({ memoryId, rawEntry: text, summary: "Anna greets" });
    expect(kept?.tags).toMatchObject({ speaker: "Anna", topic: "hello" });
    expect(await store.getEntry(vaultId, memoryId, kept?.entryId ?? "")).toStrictEqual(kept);
    expect(await store.getEntry(vaultId, memoryId, "unknown")).toBeUndefined();
  });

  test("entries are listed newest first, 25 of them unless asked otherwise", async () => {
    await using memory = await openMemory();
    await addAll(
      memory,
      Array.from({ length: 60 }, (_, at) => entry(`Entry ${at}`)),
    );
    const all = Array.from({ length: 60 }, (_, at) => `Entry ${59 - at}`);
    expect(await listed(memory)).toStrictEqual(all.slice(0, 25));
    expect(await listed(memory, { limit: 10 })).toStrictEqual(all.slice(0, 10));
    expect(await listed(memory, { limit: 50 })).toStrictEqual(all.slice(0, 50));
    for (const limit of [0, 51, 1.5])
      expect(await problemOf(memory.store.listEntries(memory.vaultId, memory.memoryId, { limit }))).toBe("invalid");
  });

  test("a text of 100 KB is kept whole", async () => {
    await using memory = await openMemory();
    const text = `${"word ".repeat(20_000)}end`;
    await addAll(memory, [entry(text)]);
    expect(await listed(memory)).toStrictEqual([text]);
  });

  test("an entry without text is refused", async () => {
    await using memory = await openMemory();
    expect(await problemOf(memory.store.addEntry(memory.vaultId, memory.memoryId, entry(" \n")))).toBe("invalid");
    expect(await listed(memory)).toStrictEqual([]);
  });
}

function contextTests(openMemory: () => Promise<OpenMemory>): void {
  test("the newest context counts", async () => {
    await using memory = await openMemory();
    const { store, vaultId, memoryId } = memory;
    expect(await store.getContext(vaultId, memoryId)).toBeUndefined();
    await store.putContext(vaultId, memoryId, "# First\n\nAnna likes tea.");
    await store.putContext(vaultId, memoryId, "# Second\n\nAnna likes coffee.");
    expect(await store.getContext(vaultId, memoryId)).toBe("# Second\n\nAnna likes coffee.");
  });

  test("a context has at most 65,536 characters", async () => {
    await using memory = await openMemory();
    const { store, vaultId, memoryId } = memory;
    const longest = "x".repeat(LIMITS.context);
    await store.putContext(vaultId, memoryId, longest);
    expect(await problemOf(store.putContext(vaultId, memoryId, `${longest}x`))).toBe("invalid");
    expect(await store.getContext(vaultId, memoryId)).toBe(longest);
  });

  test("prompts have all three parts", async () => {
    await using memory = await openMemory();
    const prompts = await memory.store.defaultPrompts("chat");
    expect(prompts.entryCapturePrompt).toContain("raw_entry");
    expect(prompts.summaryPrompt).toContain("512");
    expect(prompts.contextPrompt).toContain("5,000");
  });
}

function searchTests(openMemory: () => Promise<OpenMemory>): void {
  test("the entry that says it comes first, in another form of its words", async () => {
    await using memory = await openMemory();
    await addAll(memory, [
      entry("We went to the café near the station"),
      entry("My brother bought two bicycles"),
      entry("It rained all day long"),
    ]);
    expect((await found(memory, "Which cafe did you go to?"))[0]).toBe("We went to the café near the station");
    expect((await found(memory, "who buys a bicycle"))[0]).toBe("My brother bought two bicycles");
    expect(await found(memory, "helicopter")).toStrictEqual([]);
  });

  test("scores fall from the first to the last, and the limit holds", async () => {
    await using memory = await openMemory();
    await addAll(
      memory,
      Array.from({ length: 30 }, (_, at) => entry(`A note about gardens, number ${at}`)),
    );
    const { store, vaultId, memoryId } = memory;
    const ten = await store.search(vaultId, memoryId, "garden");
    expect(ten).toHaveLength(10);
    const scores = ten.map(({ score }) => score);
    expect(scores).toStrictEqual(scores.toSorted((a, b) => b - a));
    expect(await store.search(vaultId, memoryId, "garden", { limit: 3 })).toHaveLength(3);
  });

  test("another memory is never searched", async () => {
    await using memory = await openMemory();
    const { store, vaultId } = memory;
    const other = await store.createMemory(vaultId, { title: "Other", memoryType: "chat" });
    await addAll(memory, [entry("The blue house")]);
    expect(await store.search(vaultId, other.memoryId, "blue house")).toStrictEqual([]);
  });

  const TYPED = [
    '"', '""" OR', "NEAR(a b, 3)", "text: house", "house*", "^house", "house AND (", "{text summary}: house", "a-b+c",
    "house OR NOT", "🏠", "🏠 house 👨‍👩‍👧", "'; DROP TABLE entries; --", "%_\\", "\u0000", "\ud800", "", " ", "the of and", "我喜欢茶",
    "house ".repeat(17_000), Array.from({ length: 15_000 }, (_, at) => `word${at}`).join(" "), "x".repeat(100_000),
  ]; // biome-ignore format: a table
  test("anything can be typed", async () => {
    await using memory = await openMemory();
    await addAll(memory, [entry("The blue house by the sea"), entry("我喜欢茶和咖啡")]);
    for (const query of TYPED) {
      const texts = await found(memory, query);
      if (query.includes("house")) expect([query.slice(0, 30), ...texts]).toContain("The blue house by the sea");
      if (query.includes("我")) expect(texts[0]).toBe("我喜欢茶和咖啡");
    }
  });
}

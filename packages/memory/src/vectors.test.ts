import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { openEmbeddedStore, type VectorOptions, vectorOptions } from "@mdx-ai/memory";
import { openEmbedder } from "@mdx-ai/models/embeddings";
import { embeddingServer } from "../../../test/support/embedding-server.ts";
import { entry, type TemporaryStore, temporaryStore } from "../../../test/support/open-store.ts";
import { fuse } from "./search/fuse.ts";

const SAID = ["The cello, since she was six.", "We moved to Vienna.", "I had soup for lunch.", "Nice weather today."];

async function vectors(environment: Readonly<Record<string, string>>, warnings: string[] = []): Promise<VectorOptions> {
  const onWarning = (message: string): void => void warnings.push(message);
  const options = await vectorOptions("ollama/tiny", { environment, onWarning });
  if (options === undefined) throw new Error(warnings.join("\n"));
  return options;
}

const found = async ({ store, ids }: TemporaryStore, query: string): Promise<readonly string[]> =>
  (await store.search(...ids, query)).map(({ entry: { rawEntry } }) => rawEntry);

test("an entry is found by its meaning, and what words find is kept", async () => {
  using server = embeddingServer();
  await using plain = await temporaryStore();
  await using opened = await temporaryStore({ vectors: await vectors(server.environment) });
  for (const { store, ids } of [plain, opened])
    await store.addEntries(
      ...ids,
      SAID.map((text) => entry(text)),
    );
  expect(await found(plain, "Which instrument?")).toStrictEqual([]);
  expect((await found(opened, "Which instrument?"))[0]).toBe("The cello, since she was six.");
  expect((await found(opened, "Which town?"))[0]).toBe("We moved to Vienna.");
  expect((await found(opened, "The weather, and food"))[0]).toBe("Nice weather today.");
  expect((await found(opened, "soup"))[0]).toBe("I had soup for lunch.");
});

test("each entry is sent once, in batches, and again for another model", async () => {
  using server = embeddingServer();
  const options = await vectors(server.environment);
  await using opened = await temporaryStore({ vectors: options });
  const { store, ids, path } = opened;
  await store.addEntries(
    ...ids,
    Array.from({ length: 130 }, (_, at) => entry(`Note ${at}`)),
  );
  await store.awaitConsistency(ids[1]);
  expect(server.requests.map(({ length }) => length)).toStrictEqual([64, 64, 2]);
  await store.addEntry(...ids, entry("A kitten"));
  expect((await found(opened, "pet"))[0]).toBe("A kitten");
  expect(server.requests.slice(3)).toStrictEqual([["A kitten"], ["pet"]]);
  const other = { ...options, embedder: { ...options.embedder, name: "ollama/other" } };
  const later = await openEmbeddedStore(path, { vectors: other });
  await later.awaitConsistency(ids[1]);
  expect(server.requests.slice(5).flat()).toHaveLength(131);
  await later.close();
});

test("a server that fails is a warning, once, and words are enough; its vectors come later", async () => {
  using server = embeddingServer();
  const warnings: string[] = [];
  await using opened = await temporaryStore({ vectors: await vectors(server.environment, warnings) });
  const { store, ids } = opened;
  await store.addEntries(
    ...ids,
    SAID.map((text) => entry(text)),
  );
  expect((await found(opened, "instrument"))[0]).toBe("The cello, since she was six.");
  server.fail();
  await store.addEntry(...ids, entry("A violin"));
  expect(await found(opened, "instrument")).toStrictEqual([]);
  expect((await found(opened, "cello"))[0]).toBe("The cello, since she was six.");
  expect(warnings).toStrictEqual([expect.stringMatching(/^the memory searches by words alone: .*no embeddings today/)]);
});

test("a process without sqlite-vec forgets vectors, too", async () => {
  using server = embeddingServer();
  await using opened = await temporaryStore({ vectors: await vectors(server.environment) });
  const { store, ids, path } = opened;
  await store.addEntries(
    ...ids,
    SAID.map((text, at) => entry(text, { entryId: `e${at}` })),
  );
  await store.awaitConsistency(ids[1]);
  const other = await openEmbeddedStore(path);
  expect(await other.forgetEntries(...ids, ["e0", "e1"])).toHaveLength(2);
  expect(await other.verify()).toStrictEqual([]);
  await other.close();
  using database = new Database(path, { readonly: true });
  expect(database.query("SELECT number FROM vectors").all()).toHaveLength(2);
});

test("what is missing is said on one line, and words are enough", async () => {
  using server = embeddingServer();
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const { environment } = server;
  const { embedder } = await vectors(server.environment);
  await using opened = await temporaryStore({ vectors: { embedder, extension: import.meta.path, onWarning } });
  await opened.store.addEntry(...opened.ids, entry("A cello"));
  expect(await found(opened, "cello")).toStrictEqual(["A cello"]);
  expect(await vectorOptions("anthropic/claude-x", { environment, onWarning })).toBeUndefined();
  const missing = { ...environment, MDX_AI_SQLITE_VEC: "/nowhere/vec0.so" };
  expect(await vectorOptions("ollama/tiny", { environment: missing, onWarning })).toBeUndefined();
  expect(warnings).toStrictEqual([
    expect.stringMatching(/^the memory searches by words alone: sqlite-vec cannot be loaded \(.*\)$/),
    "memory.embeddings has no effect: anthropic/claude-x has no embeddings; name a model such as openai/text-embedding-3-small",
    expect.stringMatching(
      /^memory\.embeddings has no effect, since sqlite-vec is missing: npm install --prefix \S+ sqlite-vec@0\.1\.9, or set MDX_AI_SQLITE_VEC to its vec0\.(so|dylib)$/,
    ),
  ]);
});

test.each([
  [{ data: [] }],
  [{ data: [{ embedding: ["a"] }] }],
  [{ data: [{ embedding: [1] }, { embedding: [1, 2] }] }],
  [{}],
])("an answer without usable vectors is an error: %j", async (answer) => {
  using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json(answer) });
  const embedder = openEmbedder("openai/e", { OPENAI_API_KEY: "k", OPENAI_BASE_URL: server.url.href });
  const texts = Array.from({ length: Math.max(1, "data" in answer ? answer.data.length : 1) }, () => "a");
  await embedder.embed(texts).then(
    () => expect.unreachable(),
    (error: Error) => expect(error.message).toContain("sent no embeddings"),
  );
});

test("rankings are joined by reciprocal rank", () => {
  const joined = fuse([["a", "b", "c"], ["c", "d"]]); // biome-ignore format: short
  expect(joined.map(([item]) => item)).toStrictEqual(["c", "a", "b", "d"]);
  expect(joined[0]?.[1]).toBeCloseTo(1 / 63 + 1 / 61);
});

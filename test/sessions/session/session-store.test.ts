import { describe, expect, test } from "bun:test";
import { fileStore, memoryStore, type SessionStore, UnknownSessionError } from "@mdx-ai/sessions";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const ids = (store: SessionStore): readonly string[] => store.list().sessions.map(({ id }) => id);

describe("a store of sessions", () => {
  test("in files opens, lists and deletes them", () => {
    using folder = temporaryDirectory();
    const store = fileStore({ dataDirectory: folder.path });
    expect([store.has("main"), store.list()]).toEqual([false, { sessions: [], skipped: [] }]);
    for (const id of ["main", "other"]) store.open(id).close();
    expect([store.has("main"), ids(store).toSorted()]).toEqual([true, ["main", "other"]]);
    store.delete("main");
    expect([store.has("main"), ids(store)]).toEqual([false, ["other"]]);
    expect(() => store.delete("main")).toThrow(UnknownSessionError);
  });

  test("in memory keeps nothing after the release", () => {
    memoryStore.open("main").close();
    expect([memoryStore.has("main"), ids(memoryStore)]).toEqual([false, []]);
    expect(() => memoryStore.delete("main")).toThrow(UnknownSessionError);
  });
});

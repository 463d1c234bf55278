import { describe, expect, test } from "bun:test";
import { renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { FolderListings, type ListFolder } from "./folder-listings.ts";

/** The time at which a folder that has just changed counts as settled. */
const later = (): number => Date.now() + 3_100;

/** Milliseconds between two times of the file system's clock that differ, at the least. */
const TICK = 50;

const names = (list: ListFolder, folder: string): readonly string[] | undefined =>
  list(folder)
    ?.map(({ name }) => name)
    .toSorted();

describe("a folder is listed", () => {
  test("once in a look, and in the next only if something came, left or was replaced", async () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "same/a": "", "more/a": "", "less/a": "", "less/b": "", "other/a": "", "new/b": "" });
    await Bun.sleep(TICK);
    const listings = new FolderListings(later);
    const seen = (list: ListFolder): unknown =>
      Object.fromEntries(["same", "more", "less", "other"].map((name) => [name, names(list, join(folder.path, name))]));
    const first = listings.look();
    expect(seen(first)).toEqual({ same: ["a"], more: ["a"], less: ["a", "b"], other: ["a"] });
    seen(first);
    expect(listings.reads).toBe(4);
    seen(listings.look());
    expect(listings.reads).toBe(4);
    writeFiles(folder.path, { "more/b": "" });
    utimesSync(join(folder.path, "more"), 1, 1);
    rmSync(join(folder.path, "less/b"));
    rmSync(join(folder.path, "other"), { recursive: true });
    renameSync(join(folder.path, "new"), join(folder.path, "other"));
    expect(seen(listings.look())).toEqual({ same: ["a"], more: ["a", "b"], less: ["a"], other: ["b"] });
    expect(listings.reads).toBe(7);
  });

  test("again while its last change is so recent that another one may bear the same time", () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { a: "" });
    const listings = new FolderListings();
    expect(names(listings.look(), folder.path)).toEqual(["a"]);
    expect(names(listings.look(), folder.path)).toEqual(["a"]);
    expect(listings.reads).toBe(2);
  });

  test("again if its file system may not note when it changed", () => {
    const listings = new FolderListings();
    listings.look()("/proc/sys/fs");
    listings.look()("/proc/sys/fs");
    expect(listings.reads).toBe(2);
  });

  test("as undefined if it cannot be listed", () => {
    expect(new FolderListings().look()("/nowhere")).toBeUndefined();
  });
});

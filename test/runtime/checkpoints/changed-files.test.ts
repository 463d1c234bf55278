import { expect, test } from "bun:test";
import { renameSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { changedFiles } from "../../../packages/runtime/src/checkpoints/changed-files.ts";
import { writeFiles } from "../../support/agent-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

test.each([true, false])(
  "a folder in which a file of before was renamed lost entries, unless a builtin tool did that (%p)",
  async (isOwn) => {
    using folder = temporaryDirectory();
    using elsewhere = temporaryDirectory();
    const { path } = folder;
    writeFiles(path, { "a.txt": "old", "a.txt.new": "new" });
    // The clock of a file system may lag behind that of the program.
    await Bun.sleep(30);
    writeFiles(elsewhere.path, { now: "" });
    const since = statSync(join(elsewhere.path, "now")).mtimeMs;
    renameSync(join(path, "a.txt.new"), join(path, "a.txt"));
    const found = await changedFiles({ folder: path, since, outside: [], isOwn: () => isOwn });
    const lost = isOwn ? [] : [{ path, isFolder: true }];
    expect(found).toMatchObject({ changed: [...lost, { path: join(path, "a.txt") }], isWhole: true });
  },
);

test("of many large files the first are read, and those that are known; the others are listed", async () => {
  using folder = temporaryDirectory();
  const { path } = folder;
  const names = Array.from({ length: 20 }, (_, index) => `${String(index).padStart(2, "0")}.bin`);
  writeFiles(path, Object.fromEntries(names.map((name) => [name, ""])));
  for (const name of names) truncateSync(join(path, name), 10_000_000);
  const isKnown = (one: string): boolean => one.endsWith("19.bin");
  const found = await changedFiles({ folder: path, since: 0, outside: [], isOwn: () => false, isKnown });
  expect(found.changed.map((file) => file.path).sort()).toStrictEqual(names.map((name) => join(path, name)));
  const read = found.changed.filter(({ hash }) => hash !== undefined);
  expect(read.map((file) => file.path)).toContain(join(path, "19.bin"));
  expect(read.length).toBeLessThanOrEqual(7);
});

test("others have a turn while large files of one folder are read", async () => {
  using folder = temporaryDirectory();
  const { path } = folder;
  const names = Array.from({ length: 6 }, (_, index) => `${index}.bin`);
  writeFiles(path, Object.fromEntries(names.map((name) => [name, ""])));
  for (const name of names) truncateSync(join(path, name), 10_000_000);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  await changedFiles({ folder: path, since: 0, outside: [], isOwn: () => false });
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(names.length - 1);
});

import { expect, test } from "bun:test";
import { renameSync, statSync } from "node:fs";
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

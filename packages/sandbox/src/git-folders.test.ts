import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { FolderListings } from "../../base/src/disk/folder-listings.ts";
import { keptOfGit, repositoryAround } from "./git-folders.ts";

test("a repository of git is read without waiting for pipes or reading devices", () => {
  using folder = temporaryDirectory();
  const git = join(folder.path, ".git");
  mkdirSync(git);
  Bun.spawnSync(["mkfifo", join(git, "config"), join(git, "HEAD")]);
  symlinkSync("/dev/zero", join(git, "config.worktree"));
  expect(repositoryAround(folder.path)?.folders).toStrictEqual([git]);
  expect(keptOfGit(git, folder.path, new FolderListings().look())).toStrictEqual({
    paths: ["hooks", "commondir", "config.worktree", "config"].map((name) => join(git, name)),
    reserved: [join(git, "hooks"), join(git, "config.worktree")],
    forbidden: [join(git, "commondir")],
  });
});

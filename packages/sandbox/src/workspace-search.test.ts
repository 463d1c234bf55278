import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { writeFiles, writeText } from "../../../test/support/agent-files.ts";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { WorkspaceSearch } from "./workspace-search.ts";

const isHidden = (name: string): boolean => name === ".env";

describe("a search of a workspace", () => {
  test("finds what is hidden, repositories of git and agents at any depth, except in installed packages and excluded folders", () => {
    using folder = temporaryDirectory();
    const root = folder.path;
    writeFiles(root, {
      "a/b/.git/config": "",
      "tree/.git": "gitdir: /nowhere",
      "a/.vscode/.env": "",
      "node_modules/c/.env": "",
      "own/.env": "",
      "agents/one/agent.mdx": "",
    });
    const contents = new WorkspaceSearch({ folder: root, excluded: [join(root, "own")], isHidden }).contents();
    const within = (paths: readonly string[]): readonly string[] =>
      paths.map((path) => path.slice(root.length + 1)).toSorted();
    expect(within(contents.git)).toStrictEqual(["a/b/.git", "tree/.git"]);
    expect(within(contents.named)).toStrictEqual(["a/.vscode/.env"]);
    expect(within(contents.agents)).toStrictEqual(["agents/one"]);
  });

  test("that takes long is used for half a minute, and a quick one is made again", () => {
    using folder = temporaryDirectory();
    let time = 0;
    let step = 0;
    const now = (): number => {
      time += step;
      return time;
    };
    const search = new WorkspaceSearch({ folder: folder.path, excluded: [], isHidden, now });
    const found = (): number => search.contents().named.length;
    expect(found()).toBe(0);
    writeText(join(folder.path, ".env"), "");
    expect(found()).toBe(1);
    step = 10;
    expect(found()).toBe(1);
    writeText(join(folder.path, "a/.env"), "");
    expect(found()).toBe(1);
    time += 30_000;
    expect(found()).toBe(2);
  });
});

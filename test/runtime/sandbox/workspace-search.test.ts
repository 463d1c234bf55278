import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { WorkspaceSearch } from "../../../packages/runtime/src/sandbox/workspace-search.ts";
import { writeFiles, writeText } from "../../support/agent-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

describe("a search of a workspace", () => {
  test("finds what runs code on its own, at any depth, except in installed packages and excluded folders", () => {
    using folder = temporaryDirectory();
    const root = folder.path;
    writeFiles(root, {
      "a/.envrc": "",
      "a/b/.git/config": "",
      "a/.Vscode/.env": "",
      "node_modules/c/.npmrc": "",
      "own/.npmrc": "",
      "bare/HEAD": "",
      HEAD: "",
      "agents/one/agent.mdx": "",
    });
    for (const name of ["objects", "refs"]) mkdirSync(join(root, "bare", name));
    const contents = new WorkspaceSearch(root, [join(root, "own")]).contents();
    const within = (paths: readonly string[]): readonly string[] =>
      paths.map((path) => path.slice(root.length + 1)).toSorted();
    expect(within(contents.meaningful)).toStrictEqual(["a/.Vscode", "a/.envrc", "a/b/.git"]);
    expect(within(contents.variables)).toStrictEqual(["a/.Vscode/.env"]);
    expect(within(contents.bare)).toStrictEqual(["bare"]);
    expect(within(contents.agents)).toStrictEqual(["agents/one"]);
  });

  test("that takes long is used for half a minute, and a quick one is made again", () => {
    using folder = temporaryDirectory();
    let time = 0;
    let step = 0;
    const search = new WorkspaceSearch(folder.path, [], () => {
      time += step;
      return time;
    });
    const found = (): number => search.contents().meaningful.length;
    expect(found()).toBe(0);
    writeText(join(folder.path, ".envrc"), "");
    expect(found()).toBe(1);
    step = 10;
    expect([found(), search.isSlow]).toStrictEqual([1, true]);
    writeText(join(folder.path, ".npmrc"), "");
    expect(found()).toBe(1);
    time += 30_000;
    expect(found()).toBe(2);
  });
});

import { describe, expect, test } from "bun:test";
import { chownSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ToolCall } from "@mdx-ai/models";
import { writeText } from "../../../test/support/agent-files.ts";
import {
  callOf,
  type PermissionBench,
  permissionBench,
  reading,
  writing,
} from "../../../test/support/permission-bench.ts";
import { isOpenFolder, openRepository } from "./open-repository.ts";

/** A user with a home folder in which a workspace is a folder of a repository. */
interface Grounds extends PermissionBench {
  readonly repository: string;
  readonly workspace: string;
  /** The folder of the repository that may be read with the workspace. */
  found(workspace?: string, home?: string): string | undefined;
  decide(call: ToolCall): Promise<string>;
}

function grounds(repository = "home/code/app", workspace = `${repository}/packages/one`): Grounds {
  const bench = permissionBench();
  const [root, work] = [join(bench.path, repository), join(bench.path, workspace)];
  mkdirSync(work, { recursive: true });
  const accountsOf = (home: string): string => {
    const accounts = `you:x:1234:1::${home}:/bin/sh\nme:x:${process.getuid?.()}:1::${bench.home}:/bin/sh\n`;
    writeText(join(bench.path, "accounts"), accounts);
    return join(bench.path, "accounts");
  };
  const found = (folder = work, other = "/nowhere"): string | undefined =>
    openRepository(folder, { environment: { HOME: bench.home }, accounts: accountsOf(other) })?.root;
  const decide = (call: ToolCall): Promise<string> =>
    bench.judge(call, { workspace: work, user: { mode: "edits" }, repository: (folder) => found(folder) });
  return { ...bench, repository: root, workspace: work, found, decide };
}

const makeRepository = (folder: string): void => writeText(join(folder, ".git/HEAD"), "ref: refs/heads/main\n");

describe("the repository around a workspace", () => {
  test.each<[call: ToolCall, outcome: string]>([
    [reading("../home/code/app/package.json"), "allow"],
    [callOf("list_files", { path: "../home/code/app" }), "allow"],
    [callOf("grep", { pattern: "a", path: "../home/code/app" }), "allow"],
    [callOf("glob", { pattern: "*", path: "../home/code/app/packages" }), "allow"],
    [reading("../home/code/app/.env"), "ask"],
    [reading("../home/code/other.txt"), "ask"],
    [reading("../home/code/application/a.txt"), "ask"],
    [writing("../home/code/app/package.json"), "ask"],
    [writing("../home/code/app/packages/one/a.txt"), "allow"],
  ])("%j is decided: %s", async (call, outcome) => {
    using bench = grounds();
    makeRepository(bench.repository);
    expect(await bench.decide(call)).toBe(outcome);
  });

  test("is not read without a `.git`, and what is denied in it stays denied", async () => {
    using bench = grounds();
    const call = reading("../home/code/app/package.json");
    expect(await bench.decide(call)).toBe("ask");
    makeRepository(bench.repository);
    const options = { workspace: bench.workspace, repository: (folder: string) => bench.found(folder) };
    const denied = { ...options, user: { deny: [`read_file(${bench.repository}/package.json)`] } } as const;
    expect(await bench.judge(call, denied)).toStartWith("not run: the user denies");
  });

  test("is the innermost one, and none is looked for above a workspace that is one", () => {
    using bench = grounds();
    makeRepository(dirname(bench.repository));
    expect(bench.found()).toBe(dirname(bench.repository));
    makeRepository(bench.repository);
    expect(bench.found()).toBe(bench.repository);
    makeRepository(bench.workspace);
    expect(bench.found()).toBe(bench.workspace);
  });

  test.each(["home", "."])("is none if %s, which is or holds a home folder, has a `.git`", async (folder) => {
    using bench = grounds();
    makeRepository(join(bench.path, folder));
    expect(bench.found()).toBeUndefined();
    expect(await bench.decide(reading("../home/code/app/package.json"))).toBe("ask");
  });

  test("is none if a `.git` file makes one of the home folder or of another user's", () => {
    using bench = grounds("other/app");
    writeText(join(bench.path, "other/.git"), "gitdir: /nowhere\n");
    expect(bench.found(bench.workspace)).toBe(join(bench.path, "other"));
    expect(bench.found(bench.workspace, join(bench.path, "other"))).toBeUndefined();
    expect(bench.found(bench.workspace, join(bench.path, "other/app/you"))).toBe(join(bench.path, "other"));
    mkdirSync(join(bench.path, "other/you"));
    expect(bench.found(bench.workspace, join(bench.path, "other/you"))).toBeUndefined();
  });

  test("is none of the system: a `.git` in a folder that people share does not count", () => {
    const isOpen = (folder: string): boolean =>
      isOpenFolder(folder, { environment: { HOME: "/nowhere" }, accounts: "/nowhere" });
    expect(["/", "/home", "/tmp", "/srv", "/etc/x"].filter(isOpen)).toStrictEqual([]);
    expect(isOpen("/srv/project")).toBeTrue();
  });

  test.skipIf(process.getuid?.() !== 0)("is not another user's, even with one's own `.git`", () => {
    using bench = grounds();
    makeRepository(bench.repository);
    chownSync(join(bench.repository, ".git"), 1234, 1234);
    expect(bench.found()).toBeUndefined();
    chownSync(bench.repository, 1234, 1234);
    expect(bench.found()).toBeUndefined();
    chownSync(bench.workspace, 1234, 1234);
    expect(bench.found()).toBe(bench.repository);
    chownSync(join(bench.repository, ".git"), 0, 0);
    expect(bench.found()).toBe(bench.repository);
    chownSync(bench.repository, 4321, 4321);
    expect(bench.found()).toBeUndefined();
  });
});

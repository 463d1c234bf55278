import { describe, expect, test } from "bun:test";
import { meaningInWorkspace, workspacePaths } from "./workspace-files.ts";

const GIT = "decides what git runs on its own";
const SHELL = "runs when a shell starts or enters the folder";
const EDITOR = "decides what an editor runs on its own";
const AGENT = "decides what a coding agent runs on its own";
const TOOL = "decides what a tool runs on its own";

describe("a path of a workspace that runs code on its own is found", () => {
  test.each([
    ["", "is the workspace itself"],
    [".git", GIT],
    [".git/hooks", GIT],
    [".git/hooks/pre-commit", GIT],
    [".GIT/Hooks/pre-commit", GIT],
    [".g\u200cit/config", GIT],
    [".git/config", GIT],
    [".git/config.worktree", GIT],
    [".git/commondir", GIT],
    [".git/modules", GIT],
    [".git/modules/one/hooks/post-checkout", GIT],
    [".git/modules/one/two/modules/three/config", GIT],
    [".git/worktrees", GIT],
    [".git/worktrees/one", GIT],
    [".git/worktrees/one/gitdir", GIT],
    [".git/worktrees/one/commondir", GIT],
    ["packages/inner/.git", GIT],
    ["packages/inner/.git/hooks/pre-commit", GIT],
    [".gitmodules", GIT],
    [".githooks/pre-commit", GIT],
    [".husky/pre-commit", GIT],
    [".hg/hgrc", GIT],
    [".envrc", SHELL],
    ["packages/one/.EnvRC", SHELL],
    [".bashrc", SHELL],
    [".vscode", EDITOR],
    ["packages/one/.vscode/tasks.json", EDITOR],
    [".idea/workspace.xml", EDITOR],
    [".mdx-ai/settings.yaml", AGENT],
    [".claude/settings.json", AGENT],
    [".cursor/mcp.json", AGENT],
    [".mcp.json", AGENT],
    [".npmrc", TOOL],
    [".yarnrc.yml", TOOL],
    ["bunfig.toml", TOOL],
    ["crates/one/.cargo/config.toml", TOOL],
    [".hg/sharedpath", GIT],
    ["lefthook-local.yml", GIT],
    [".helix/languages.toml", EDITOR],
    [".dir-locals-2.el", EDITOR],
    ["opencode.json", AGENT],
    [".pi/extensions/a.ts", AGENT],
    ["rust-toolchain.toml", TOOL],
    [".Rprofile", TOOL],
    [".RData", TOOL],
    [".RPROFILE", TOOL],
    [".pdbrc", TOOL],
    [".iex.exs", TOOL],
    [".jj/repo/config.toml", TOOL],
    [".bundle/config", TOOL],
    [".config/mise/config.toml", TOOL],
  ])("%j %s", (path, meaning) => {
    expect(meaningInWorkspace(path)).toBe(meaning);
  });

  test("each fixed name is one", () => {
    expect(workspacePaths().filter((path) => meaningInWorkspace(path) === undefined)).toStrictEqual([]);
  });
});

describe("what an agent that writes code must write is free", () => {
  test.each([
    "package.json",
    "Makefile",
    "src/config",
    "src/hooks/use-state.ts",
    "test/main.test.ts",
    "node_modules/.bin/x",
    ".gitignore",
    ".gitattributes",
    ".github/workflows/test.yml",
    "AGENTS.md",
    ".git/HEAD",
    ".git/index.lock",
    ".git/objects/ab/cdef",
    ".git/refs/heads/config",
    ".git/logs/HEAD",
    ".git/COMMIT_EDITMSG",
    ".git/info/exclude",
    ".git/modules/one/HEAD",
    ".git/modules/one/objects/ab/cdef",
    ".git/worktrees/one/HEAD",
    ".git/worktrees/one/index",
    ".cargo/other",
  ])("%s", (path) => {
    expect(meaningInWorkspace(path)).toBeUndefined();
  });
});

import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { writeText } from "../../support/agent-files.ts";
import { openSandboxBench, type SandboxBench, type SandboxBenchOptions } from "../../support/sandbox-bench.ts";

const GIT_VARIABLES = {
  ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@a.test", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@a.test" },
};

interface Workbench extends SandboxBench {
  /** The workspace. */
  readonly work: string;
  git(folder: string, ...words: readonly string[]): string;
}

/** A sandbox over an agent and a workspace, `work` in the home folder, with these files; a repository of git unless said otherwise. */
function openWorkbench(
  files: Readonly<Record<string, string>> = {},
  { isRepository = true, ...options }: SandboxBenchOptions & { readonly isRepository?: boolean } = {},
): Workbench {
  const bench = openSandboxBench({ workspace: "work", environment: GIT_VARIABLES, ...options });
  const work = join(bench.home, options.workspace ?? "work");
  const git = (folder: string, ...words: readonly string[]): string =>
    execFileSync("git", ["-C", join(bench.home, folder), "-c", "protocol.file.allow=always", ...words], {
      env: { ...process.env, ...GIT_VARIABLES, GIT_CONFIG_GLOBAL: "/dev/null" },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  for (const [path, text] of Object.entries(files)) writeText(join(bench.home, path), text);
  if (isRepository) {
    git("work", "init", "-q", "-b", "main");
    git("work", "add", "-A");
    git("work", "commit", "-q", "--allow-empty", "-m", "first");
  }
  return { ...bench, work, git };
}

describe("a workspace", () => {
  test("is written by commands, which commit in it with git and run its tests", async () => {
    await using bench = openWorkbench({
      "work/package.json": '{"scripts":{"test":"node -e \\"console.log(1 + 1)\\""}}',
    });
    const { text } = await bench.bash(
      "pwd; echo 1 > new.txt; git add -A && git commit -qm second && git status --short && git log --oneline | wc -l; npm test",
    );
    console.log(text);
    expect(text).toContain(bench.work);
    expect(bench.git("work", "log", "--format=%s")).toBe("second\nfirst\n");
  });
});

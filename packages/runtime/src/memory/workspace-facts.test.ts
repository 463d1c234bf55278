import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { readWorkspaceFacts } from "./workspace-facts.ts";

const clock = { now: () => Date.UTC(2026, 10, 28, 12), after: () => () => {} };

/** A folder in which these shell commands ran, and what a model is told of it. */
async function factsAfter(commands: string, folder: string) {
  const environment = { PATH: process.env["PATH"], HOME: folder, TZ: "UTC" };
  const identity =
    "git config --global user.name A; git config --global user.email a@example.com; git config --global init.defaultBranch main;";
  const { exitCode } = Bun.spawnSync(["bash", "-ec", identity + commands], { cwd: folder, env: environment });
  expect(exitCode).toBe(0);
  return readWorkspaceFacts(join(folder, "work"), { clock, environment });
}

const COMMIT = "git init -q work; cd work; echo 1 >a; git add a; git commit -qm one;";

describe("what a model is told of its workspace", () => {
  test.each([
    ["no repository", "mkdir work", undefined],
    ["a repository without a commit", "git init -q work", { branch: "main", isClean: true }],
    ["a clean branch", `${COMMIT} git switch -qc fix/a`, { branch: "fix/a", isClean: true }],
    ["a changed file", `${COMMIT} echo 2 >a`, { branch: "main", isClean: false }],
    ["a new file", `${COMMIT} touch b`, { branch: "main", isClean: false }],
    ["an ignored file", `${COMMIT} echo b >.git/info/exclude; touch b`, { branch: "main", isClean: true }],
    ["no branch", `${COMMIT} git checkout -q --detach`, { branch: "", isClean: true }],
    ["a broken repository", "mkdir -p work/.git; echo x >work/.git/HEAD", undefined],
  ])("is the state of %s", async (_, commands, git) => {
    using folder = temporaryDirectory();
    const facts = await factsAfter(commands, folder.path);
    expect(facts.git).toEqual(git);
    expect(facts).toMatchObject({ date: "2026-11-28", shell: expect.stringMatching(/^\/bin\/(ba)?sh$/) });
    expect(facts.platform).toContain(process.arch);
  });

  test("runs no program that the repository names", async () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "run.sh": '#!/bin/sh\ntouch "$HOME/ran"\ncat\n' });
    const run = `chmod +x run.sh; ${COMMIT} echo '* filter=f' >.gitattributes`;
    const settings = ["core.fsmonitor", "filter.f.clean", "filter.f.process"].map(
      (name) => `git config ${name} ../run.sh`,
    );
    const facts = await factsAfter(`${run}; ${settings.join("; ")}; touch a`, folder.path);
    expect(facts.git?.isClean).toBe(false);
    expect(existsSync(join(folder.path, "ran"))).toBe(false);
  });

  test("is without git where git is missing", async () => {
    using folder = temporaryDirectory();
    const facts = await readWorkspaceFacts(folder.path, { clock, environment: { PATH: "" } });
    expect(facts.git).toBeUndefined();
  });
});

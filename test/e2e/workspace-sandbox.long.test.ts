import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { eventually, untilExists } from "../support/eventually.ts";
import { noProcessesOf, processesOf } from "../support/remaining-processes.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { cliCommand, cliEnvironment, runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** A repository with a mistake, and a test that finds it. */
const REPOSITORY = {
  "repo/package.json": '{"scripts":{"test":"node sum.test.js"}}',
  "repo/sum.js": "exports.sum = (one, other) => one - other;\n",
  "repo/sum.test.js": 'require("node:assert").equal(require("./sum.js").sum(1, 2), 3);\n',
};

const AUTHOR = {
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@a.test",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@a.test",
};

/** The shells that clean up in a workspace after a program that was killed. */
const reapersOf = (workspace: string): readonly number[] =>
  processesOf(workspace).flatMap(({ pid, command }) => (command.startsWith("/bin/sh -c \nlive=") ? pid : []));

const bash = (command: string): Reply => ({ calls: [{ id: "call", name: "bash", arguments: { command } }] });

describe.skipIf(["bwrap", "git", "npm"].some(requireProgram))("an agent in a workspace elsewhere", () => {
  test("tests, edits and commits in the sandbox, and a hook that its command plants is gone", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agents/coder/agent.mdx": MINIMAL_AGENT, ...REPOSITORY });
    const repository = join(home.path, "repo");
    const git = (...words: readonly string[]): string =>
      execFileSync("git", ["-C", repository, ...words], { env: { ...process.env, ...AUTHOR }, encoding: "utf8" });
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-q", "-m", "first");
    const model = scriptReference(home.path, [
      bash("npm test --silent"),
      bash("sed -i 's/one - other/one + other/' sum.js && npm test --silent && git commit -qam fixed"),
      bash("echo 'echo pwned' > .git/hooks/pre-commit; echo 'echo pwned' > .envrc; git config core.fsmonitor pwned"),
      { text: "Fixed." },
    ]);
    const words = [
      "agent",
      "agents/coder",
      "--trust",
      "--workspace",
      "repo",
      "--sandbox",
      "required",
      "--model",
      model,
    ];
    const { exitCode, stdout, stderr } = await runCli([...words, "--prompt", "fix it"], {
      home: home.path,
      environment: AUTHOR,
    });
    expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 0, stdout: "Fixed.\n" });
    expect(readFileSync(join(repository, "sum.js"), "utf8")).toContain("one + other");
    expect(git("log", "--format=%s")).toBe("fixed\nfirst\n");
    expect([".git/hooks/pre-commit", ".envrc"].filter((path) => existsSync(join(repository, path)))).toStrictEqual([]);
    expect(git("config", "--list", "--local")).not.toContain("fsmonitor");
  });

  test("that is killed in the middle of a command leaves nothing that runs code on its own, with and without its reaper", async () => {
    for (const killsReaper of [false, true]) {
      using home = temporaryDirectory();
      writeFiles(home.path, { "agents/coder/agent.mdx": MINIMAL_AGENT, "repo/a.txt": "1" });
      const repository = join(home.path, "repo");
      execFileSync("git", ["init", "-q", repository]);
      rmSync(join(repository, ".git/hooks"), { recursive: true, force: true });
      const planted = [".git/hooks/pre-commit", ".envrc", ".vscode/tasks.json"].map((path) => join(repository, path));
      const model = scriptReference(home.path, [
        bash(
          `for file in ${planted.join(" ")}; do mkdir -p $(dirname $file); echo pwned > $file; done; touch begun; sleep 60`,
        ),
      ]);
      const words = ["agent", "agents/coder", "--trust", "--workspace", "repo", "--sandbox", "required"];
      const child = Bun.spawn(cliCommand([...words, "--model", model, "--prompt", "go"]), {
        ...{
          cwd: home.path,
          env: cliEnvironment({ home: home.path }),
          stdin: "ignore",
          stdout: "ignore",
          stderr: "ignore",
        },
      });
      await untilExists(join(repository, "begun"));
      const reapers = reapersOf(`/${child.pid}-`);
      expect(reapers.length).toBeGreaterThan(0);
      if (killsReaper) for (const pid of reapers) process.kill(pid, "SIGKILL");
      child.kill("SIGKILL");
      await child.exited;
      if (!killsReaper) await eventually(() => !existsSync(join(repository, ".vscode")));
      const next = [bash("true"), { text: "Done." }];
      await runCli([...words, "--model", scriptReference(home.path, next), "--prompt", "again"], { home: home.path });
      expect(readdirSync(repository).toSorted()).toStrictEqual([".git", "a.txt", "begun"]);
      expect(existsSync(join(repository, ".git/hooks"))).toBe(false);
      await noProcessesOf(home.path);
    }
  });

  test("is on the page of the sandbox, and a command of the user's runs there", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "agents/coder/agent.mdx": MINIMAL_AGENT,
      "repo/.vscode/tasks.json": "{}",
      "repo/a.txt": "1",
    });
    const repository = join(home.path, "repo");
    execFileSync("git", ["init", "-q", repository]);
    const page = await runCli(["sandbox", "agents/coder", "--workspace", "repo", "--all"], { home: home.path });
    const lines = page.stdout.split("\n").map((line) => line.trim().replace(/ {2,}/g, "  "));
    const expected = [
      `workspace  ${repository}`,
      "writes  the agent directory",
      "the workspace",
      "but not  .git/config",
      ".vscode",
    ];
    expect(lines).toEqual(expect.arrayContaining(expected));
    const run = await runCli(
      ["sandbox", "agents/coder", "--workspace", "repo", "--", "sh", "-c", "pwd; cp a.txt b.txt"],
      {
        home: home.path,
      },
    );
    expect(run.stdout).toBe(`${repository}\n`);
    expect(existsSync(join(repository, "b.txt"))).toBeTrue();
  });
});

import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../support/agent-directory.ts";
import { MINIMAL_AGENT, writeFiles, writeText } from "../support/agent-files.ts";
import { scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { cliCommand } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

describe("--user", () => {
  test.each(["", "../bob", "a/b", ".", "..", "con", "a b", "x".repeat(200)])("refuses %j", async (name) => {
    using directory = agentDirectory();
    using home = temporaryDirectory();
    const { exitCode, stderr } = await runCommandLine([directory.path, "-p", "Hi", "--user", name], {
      home: home.path,
    });
    expect([exitCode, stderr]).toStrictEqual([2, expect.stringContaining("bad user")]);
    expect(readdirSync(directory.path)).toStrictEqual(["agent.mdx"]);
  });

  test("gives each user sessions and memories of their own", async () => {
    using directory = agentDirectory();
    using home = temporaryDirectory();
    using data = temporaryDirectory();
    const model = scriptReference(home.path, [{ text: "Yes." }]);
    const say = async (...more: readonly string[]) =>
      runCommandLine([directory.path, "-p", "Hi", "--model", model, "--trust", ...more], { home: home.path });
    expect(await say("--user", "alice")).toMatchObject({ exitCode: 0, stdout: "Yes.\n" });
    expect(existsSync(join(directory.path, "sessions"))).toBe(false);
    expect(await say("--user", "bob", "--data", data.path)).toMatchObject({ exitCode: 0 });
    expect(readdirSync(join(data.path, "users"))).toStrictEqual(["bob"]);
    const sessions = async (...more: readonly string[]) =>
      (await runCommandLine(["sessions", directory.path, "--json", ...more], { home: home.path })).stdout;
    expect(JSON.parse(await sessions("--user", "alice"))).toMatchObject({ sessions: [{ id: "main", turns: 1 }] });
    writeText(join(data.path, "users/bob/sessions/main/skills.json"), '{"enabled": ["a"], "disabled": ["b", "c"]}');
    expect(JSON.parse(await sessions("--user", "bob", "--data", data.path))).toMatchObject({
      sessions: [{ id: "main", user_id: "bob", enabled_skills: ["a"], disabled_skills: ["b", "c"] }],
    });
    writeText(
      join(data.path, "users/bob/state/memory.json"),
      JSON.stringify([{ id: "a3f1c2b0", timestamp: "2026-04-29T09:12:00.000Z", content: "likes tea" }]),
    );
    const inspect = async (...more: readonly string[]) =>
      (await runCommandLine(["inspect", directory.path, "--json", ...more], { home: home.path })).stdout;
    expect(await inspect("--user", "bob", "--data", data.path)).toContain("likes tea");
    expect(await inspect("--user", "alice")).not.toContain("likes tea");
  });
});

/** An id that no account has. */
const NOBODY = 54_321;

test.skipIf(process.getuid?.() !== 0 || requireProgram("setpriv"))(
  "a user id without an account and without HOME runs an agent's tools",
  async () => {
    using folder = temporaryDirectory();
    const directory = writeFiles(join(folder.path, "agent"), { "agent.mdx": MINIMAL_AGENT });
    const calls = [
      { id: "1", name: "write_file", arguments: { path: "a.txt", content: "written" } },
      { id: "2", name: "bash", arguments: { command: "(cat a.txt; id -u) > b.txt" } },
    ];
    const model = scriptReference(folder.path, [...calls.map((call) => ({ calls: [call] })), { text: "Done." }]);
    execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, folder.path]);
    const user = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
    const args = [directory, "--trust", "--allow-all", "--model", model, "--prompt", "go"];
    const child = Bun.spawn([...user, ...cliCommand(args)], {
      ...{ cwd: folder.path, env: { PATH: process.env["PATH"] } },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stderr = await child.stderr.text();
    expect(await child.exited, stderr).toBe(0);
    expect(readFileSync(join(directory, "b.txt"), "utf8")).toBe(`written${NOBODY}\n`);
  },
);

describe("--skills-dir", () => {
  const skill = (name: string): string => `---\nname: ${name}\ndescription: About ${name}.\n---\nBody.\n`;

  test("names the skills folders instead of skills/", async () => {
    using directory = agentDirectory({ "skills/tea/SKILL.md": skill("tea") });
    using home = temporaryDirectory();
    writeText(join(home.path, "one/milk/SKILL.md"), skill("milk"));
    writeText(join(home.path, "two/sugar/SKILL.md"), skill("sugar"));
    const args = ["inspect", directory.path, "--skills-dir", "one", "--skills-dir", join(home.path, "two")];
    const { stdout, exitCode } = await runCommandLine(args, { home: home.path, cwd: home.path });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`<location>${home.path}/one/milk/SKILL.md</location>`);
    expect(stdout).toContain("<name>sugar</name>");
    expect(stdout).not.toContain("<name>tea</name>");
  });

  test.each(["lost", ""])("refuses %j, which is no folder", async (folder) => {
    using directory = agentDirectory();
    using home = temporaryDirectory();
    const { exitCode, stderr } = await runCommandLine(["check", directory.path, "--skills-dir", folder], {
      home: home.path,
    });
    expect([exitCode, stderr]).toStrictEqual([2, expect.stringContaining("is not a folder")]);
  });
});

test("--session-id names a session that exists; another is exit code 1 and is not made", async () => {
  using directory = agentDirectory();
  using home = temporaryDirectory();
  const model = scriptReference(home.path, [{ text: "Yes." }]);
  const run = (...more: readonly string[]) =>
    runCommandLine([directory.path, "-p", "Hi", "--model", model, "--trust", ...more], { home: home.path });
  const unknown = await run("--session-id", "2026-04-29_1");
  expect([unknown.exitCode, unknown.stderr]).toStrictEqual([
    1,
    expect.stringContaining('there is no session "2026-04-29_1"'),
  ]);
  expect(existsSync(join(directory.path, "sessions/2026-04-29_1"))).toBe(false);
  expect(await run("--session", "2026-04-29_1")).toMatchObject({ exitCode: 0 });
  expect(await run("--session-id", "2026-04-29_1")).toMatchObject({ exitCode: 0 });
  const both = await run("--session-id", "a", "--session", "b");
  expect([both.exitCode, both.stderr]).toStrictEqual([2, expect.stringContaining("name two sessions")]);
});

import { describe, expect, test } from "bun:test";
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { scriptReference } from "../support/replies.ts";
import { type CliResult, runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const verify = (home: string, ...args: readonly string[]): Promise<CliResult> =>
  runCli(["sessions", "agent", "verify", ...args], { home });

/** Makes sessions of one prompt each, and gives the folder of sessions. */
async function makeSessions(home: string, ...ids: readonly string[]): Promise<string> {
  writeFiles(home, { "agent/agent.mdx": MINIMAL_AGENT });
  for (const id of ids) {
    const model = scriptReference(home, [{ text: "Hello." }]);
    await runCli(["agent", "agent", "--trust", "--session", id, "--prompt", "Hi", "--model", model], { home });
  }
  return join(home, "agent/sessions");
}

const WRONG = "line 5 of journal.jsonl cannot be read; the last line of journal.jsonl is unfinished";

describe("mdx-ai sessions DIR verify", () => {
  test("prints a line for each session, and repairs what it can; the damaged original is kept", async () => {
    using home = temporaryDirectory();
    const folder = await makeSessions(home.path, "a", "b");
    expect(await verify(home.path)).toEqual({ exitCode: 0, stdout: "a: ok, 1 prompt\nb: ok, 1 prompt\n", stderr: "" });
    const path = join(folder, "b/journal.jsonl");
    const whole = readFileSync(path, "utf8");
    appendFileSync(path, 'garbage\n{"v":1,');
    const looked = await verify(home.path, "--check");
    expect(looked).toEqual({ exitCode: 1, stdout: `a: ok, 1 prompt\nb: repairable, 1 prompt; ${WRONG}\n`, stderr: "" });
    expect(readFileSync(path, "utf8")).toBe(`${whole}garbage\n{"v":1,`);
    const { exitCode, stdout } = await verify(home.path, "b");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^b: repaired, 1 prompt, the damaged parts are kept as journal\.jsonl\.damaged-\S+Z and history\.json\.damaged-\S+Z; line/,
    );
    expect(stdout).toEndWith(`${WRONG}\n`);
    const kept = readdirSync(join(folder, "b")).find((name) => name.startsWith("journal.jsonl.damaged-")) ?? "";
    expect(readFileSync(join(folder, "b", kept), "utf8")).toBe(`${whole}garbage\n{"v":1,`);
    expect(readFileSync(path, "utf8")).toBe(whole);
    expect(await verify(home.path)).toMatchObject({ exitCode: 0, stdout: "a: ok, 1 prompt\nb: ok, 1 prompt\n" });
  });

  test("ends with exit code 1 if something cannot be repaired, and reports it as JSON, too", async () => {
    using home = temporaryDirectory();
    const folder = await makeSessions(home.path, "main");
    appendFileSync(join(folder, "main/journal.jsonl"), '{"v":3}\n');
    const { exitCode, stdout } = await verify(home.path);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^main: broken, 0 prompts; not repaired: \S+:\d+ was written by a newer version of mdx-ai/);
    const json = await verify(home.path, "--json");
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      folder: { state: "ok" },
      sessions: [{ id: "main", state: "broken", left: [expect.stringContaining("newer version of mdx-ai")] }],
    });
  });

  test("says of a lock whose process is gone what it is, and repairs nothing while it only checks", async () => {
    using home = temporaryDirectory();
    const folder = await makeSessions(home.path, "main");
    writeFileSync(join(folder, "main/lock"), "{}", { mode: 0o600 });
    const path = join(folder, "main/journal.jsonl");
    const whole = readFileSync(path, "utf8");
    const lock = "its lock belongs to a process that has ended; the next start takes it over";
    expect((await verify(home.path, "--check")).stdout).toBe(`main: repairable, 1 prompt; ${lock}\n`);
    writeFileSync(join(folder, "main/journal-0001.jsonl"), `${whole}${whole}`, { mode: 0o600 });
    const { stdout } = await verify(home.path, "--check");
    expect(stdout).toStartWith("main: broken, 1 prompt; the journal has two results of step begin of prompt 1;");
    expect(stdout).toContain(lock);
    expect(stdout).not.toContain("not repaired");
  });

  test("says so if there is no session, and refuses one that does not exist", async () => {
    using home = temporaryDirectory();
    await makeSessions(home.path);
    expect(await verify(home.path)).toEqual({ exitCode: 0, stdout: "", stderr: "There is no session yet.\n" });
    expect(await verify(home.path, "main")).toMatchObject({ exitCode: 1, stdout: "" });
  });
});

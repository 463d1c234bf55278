import { describe, expect, test } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { scriptReference } from "../support/replies.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const verify = (home: string, ...args: readonly string[]): Promise<CliResult> =>
  runCommandLine(["sessions", "agent", "verify", ...args], { home });

/** Makes sessions of one prompt each, and gives the folder of sessions. */
async function makeSessions(home: string, ...ids: readonly string[]): Promise<string> {
  writeFiles(home, { "agent/agent.mdx": MINIMAL_AGENT });
  for (const id of ids) {
    const model = scriptReference(home, [{ text: "Hello." }]);
    await runCommandLine(["agent", "agent", "--trust", "--session", id, "--prompt", "Hi", "--model", model], { home });
  }
  return join(home, "agent/sessions");
}

describe("mdx-ai sessions DIR verify", () => {
  test("prints a line for each session, cuts off a torn line, which is kept, and leaves other damage as it is", async () => {
    using home = temporaryDirectory();
    const folder = await makeSessions(home.path, "a", "b");
    expect(await verify(home.path)).toEqual({ exitCode: 0, stdout: "a: ok, 1 prompt\nb: ok, 1 prompt\n", stderr: "" });
    const path = join(folder, "b/journal.jsonl");
    const whole = readFileSync(path, "utf8");
    const torn = "the last line of journal.jsonl is unfinished";
    appendFileSync(path, '{"v":1,');
    const looked = await verify(home.path, "--check");
    expect(looked).toEqual({ exitCode: 1, stdout: `a: ok, 1 prompt\nb: repairable, 1 prompt; ${torn}\n`, stderr: "" });
    const { exitCode, stdout } = await verify(home.path, "b");
    expect(exitCode).toBe(0);
    const kept = `journal.jsonl.torn-${Buffer.byteLength(whole)}`;
    expect(stdout).toBe(`b: repaired, 1 prompt, the damaged parts are kept as ${kept}; ${torn}\n`);
    expect(readFileSync(path, "utf8")).toBe(whole);
    appendFileSync(path, "garbage\n");
    const line = whole.split("\n").length;
    const left = `b: broken, 1 prompt; not repaired: line ${line} of journal.jsonl cannot be read\n`;
    expect(await verify(home.path, "b")).toMatchObject({ exitCode: 1, stdout: left });
    expect(readFileSync(path, "utf8")).toBe(`${whole}garbage\n`);
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

  test("says so if there is no session, and refuses one that does not exist", async () => {
    using home = temporaryDirectory();
    await makeSessions(home.path);
    expect(await verify(home.path)).toEqual({ exitCode: 0, stdout: "", stderr: "There is no session yet.\n" });
    expect(await verify(home.path, "main")).toMatchObject({ exitCode: 1, stdout: "" });
  });
});

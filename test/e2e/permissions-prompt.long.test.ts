import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { eventually } from "../support/eventually.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";

setDefaultTimeout(60_000);

const ENTER = "\r";
const DOWN = "\u001b[B";
const ESCAPE = "\u001b";
const CTRL_C = "\u0003";

const shell = (command: string): Reply => ({ calls: [{ id: "c1", name: "bash", arguments: { command } }] });

function start(home: TemporaryDirectory, replies: readonly Reply[], ...more: readonly string[]): TerminalRun {
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
  const model = scriptReference(home.path, replies);
  const args = ["agent", "agent", "--trust", "--sandbox", "off", "--prompt", "go", "--model", model, ...more];
  return new TerminalRun(args, { home: home.path });
}

/** Moves to an answer of the open question, and takes it. A key that comes while the question is being drawn is lost, so it is pressed again. */
async function choose(run: TerminalRun, answer: string): Promise<void> {
  const isChosen = (): boolean => Bun.stripANSI(run.output).split("●").at(-1)?.trimStart().startsWith(answer) ?? false;
  let pressed = 0;
  await eventually(() => {
    if (isChosen()) return true;
    if (performance.now() - pressed < 500) return false;
    pressed = performance.now();
    run.write(DOWN);
    return false;
  });
  run.write(ENTER);
}

const wasRun = (home: TemporaryDirectory): boolean => existsSync(join(home.path, "agent/mark"));

const QUESTION = "Run this call?";

describe("one prompt on a terminal", () => {
  test.each([
    ["this once", DOWN.repeat(2), true],
    ["for this session", DOWN.repeat(3), true],
    ["always", DOWN.repeat(4), true],
    ["no, by Enter alone", "", false],
  ])("asks, with what will run; the answer %s counts", async (_name, keys, runs) => {
    using home = temporaryDirectory();
    await using run = start(home, [shell("touch mark"), { text: "Done." }]);
    await run.shows(QUESTION);
    expect(Bun.stripANSI(run.output)).toContain("? bash wants to run this command\r\n  │ touch mark\r\n");
    expect(wasRun(home)).toBe(false);
    run.write(keys + ENTER);
    expect(await run.exited).toBe(0);
    expect(run.output).toEndWith("Done.\r\n");
    expect(wasRun(home)).toBe(runs);
    const denial = "✗ bash not run: the user refused it";
    expect(Bun.stripANSI(run.output).includes(denial)).toBe(!runs);
  });

  test("shows no key of the command, though it is wrapped within the key", async () => {
    using home = temporaryDirectory();
    const key = "plain-Password-0815-and-more";
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
    const model = scriptReference(home.path, [shell(`echo ${"x".repeat(55)} ${key}; touch mark`), { text: "Done." }]);
    const args = ["agent", "agent", "--trust", "--sandbox", "off", "--prompt", "go", "--model", model];
    await using run = new TerminalRun(args, { home: home.path, environment: { A_PASSWORD: key } });
    await run.shows(QUESTION);
    run.write(DOWN.repeat(4) + ENTER);
    expect(await run.exited).toBe(0);
    expect(run.output.replaceAll(/[^\w-]+/g, "")).not.toContain("plain-Pass");
    expect(wasRun(home)).toBe(true);
  });

  test("takes Esc for a no", async () => {
    using home = temporaryDirectory();
    await using run = start(home, [shell("touch mark"), { text: "Done." }]);
    await run.shows(QUESTION);
    run.write(ESCAPE);
    expect(await run.exited).toBe(0);
    expect(wasRun(home)).toBe(false);
  });

  test("sends the model the user's reason for a no", async () => {
    using home = temporaryDirectory();
    await using run = start(home, [shell("touch mark"), { text: "Done." }]);
    await run.shows(QUESTION);
    run.write(DOWN + ENTER);
    await run.shows("What should the model know?");
    run.write(`use make${ENTER}`);
    expect(await run.exited).toBe(0);
    expect(readFileSync(join(home.path, "agent/sessions/main/journal.jsonl"), "utf8")).toContain("use make");
  });

  test("is stopped by Ctrl+C, and nothing is run", async () => {
    using home = temporaryDirectory();
    await using run = start(home, [shell("touch mark"), { text: "Done." }]);
    await run.shows(QUESTION);
    run.write(CTRL_C);
    expect(await run.exited).toBe(130);
    expect(wasRun(home)).toBe(false);
  });

  test("takes nothing that was typed before the question for its answer", async () => {
    using home = temporaryDirectory();
    await using run = start(home, [{ ...shell("touch mark"), delay: 800 }, { text: "Done." }]);
    await run.shows("thinking");
    run.write(`jj${ENTER}${DOWN}${DOWN}${ENTER}y${ENTER}`);
    await run.shows(QUESTION);
    expect(wasRun(home)).toBe(false);
    run.write(ENTER);
    expect(await run.exited).toBe(0);
    expect(wasRun(home)).toBe(false);
  });

  test("shows the first lines of a long diff, and the rest where the user asks for it", async () => {
    using home = temporaryDirectory();
    const path = join(home.path, "long.txt");
    const content = Array.from({ length: 300 }, (_, at) => `line ${at}\n`).join("");
    const call = { id: "c1", name: "write_file", arguments: { path, content } };
    await using run = start(home, [{ calls: [call] }, { text: "Done." }]);
    await run.shows(QUESTION);
    expect(run.output).toContain("101 more lines of the difference");
    expect(run.output).not.toContain("line 299");
    run.write(DOWN.repeat(5) + ENTER);
    await run.shows("line 299");
    await choose(run, "Yes, this once");
    expect(await run.exited).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  test("asks about several calls one after the other", async () => {
    using home = temporaryDirectory();
    const calls = ["one", "two"].map((id) => ({ id, name: "bash", arguments: { command: `touch ${id}` } }));
    await using run = start(home, [{ calls }, { text: "Done." }]);
    await run.shows(QUESTION);
    run.write(ENTER);
    await run.shows("allow bash(touch two)");
    await eventually(() => run.output.split("No, and say why").length === 3);
    run.write(DOWN.repeat(2) + ENTER);
    expect(await run.exited).toBe(0);
    expect(["one", "two"].map((name) => existsSync(join(home.path, "agent", name)))).toEqual([false, true]);
  });

  test("does not ask with --json, since a program reads: it is denied", async () => {
    using home = temporaryDirectory();
    await using run = start(home, [shell("touch mark"), { text: "Done." }], "--json");
    expect(await run.exited).toBe(0);
    expect(run.output).not.toContain(QUESTION);
    expect(wasRun(home)).toBe(false);
  });
});

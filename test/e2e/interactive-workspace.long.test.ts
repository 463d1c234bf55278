import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { sessionSummary, sessionWorkspace } from "@mdx-ai/sessions";
import { GREETING_AGENT, writeFiles, writeText } from "../support/agent-files.ts";
import { type InteractiveRun, openInteractive } from "../support/interactive-session.ts";
import { beginLine } from "../support/prompt-steps.ts";
import type { Reply } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** A user with an agent, and a repository in the home folder. */
function user() {
  const folder = temporaryDirectory();
  const home = realpathSync(folder.path);
  const directory = writeFiles(join(home, "agent"), { "agent.mdx": GREETING_AGENT });
  const repository = join(home, "repository");
  mkdirSync(repository);
  const open = (replies: readonly Reply[], ...args: readonly string[]): Promise<InteractiveRun> =>
    openInteractive({ directory, home, replies, args });
  const sessions = (): readonly string[] =>
    readdirSync(join(directory, "sessions"))
      .filter((name) => !name.startsWith("."))
      .sort();
  /** Writes a session that a crash interrupted in the middle of a prompt. */
  const interrupt = (id: string, text: string, workspace?: string): void => {
    const begin = beginLine(1, text, workspace === undefined ? {} : { workspace });
    writeText(join(directory, "sessions", id, "journal.jsonl"), `${JSON.stringify(begin)}\n`);
  };
  return { home, directory, repository, open, sessions, interrupt, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

async function say({ terminal }: InteractiveRun, text: string, answer: string | RegExp): Promise<string> {
  await terminal.type(text);
  await terminal.press("Enter");
  return terminal.waitFor(answer);
}

/** Leaves, and gives the sentence that says how to come back. */
async function leave({ terminal }: InteractiveRun): Promise<string | undefined> {
  await terminal.type("/quit");
  await terminal.press("Enter");
  expect(await terminal.exitCode()).toBe(0);
  const [, , found] = /(^|\n)(Continue with: (?:.+\n?)+)/.exec(await terminal.history()) ?? [];
  return found?.trim().replaceAll("\n", " ");
}

describe.skipIf(requireProgram("tmux"))("a conversation in a workspace", () => {
  test.skipIf(requireProgram("bwrap"))(
    "begins a new session; leaving says how to come back, and -c comes back to its last exchanges",
    async () => {
      using home = user();
      const workspace = ["--workspace", home.repository];
      await using first = await home.open([{ text: "It is fixed." }], ...workspace);
      await say(first, "Fix the login", "It is fixed.");
      const [id = ""] = home.sessions();
      expect(id).toMatch(/^\d{4}-\d\d-\d\d_1$/);
      expect(await leave(first)).toMatch(
        new RegExp(
          `^Continue with: mdx-ai \\S+agent --workspace \\S+ --session ${id} \\(or -c, while it is the newest here\\)$`,
        ),
      );
      expect(sessionWorkspace(home.directory, id)).toBe(home.repository);
      await using second = await home.open([{ text: "Tests pass." }], ...workspace, "-c");
      const screen = await second.terminal.waitFor("It is fixed.");
      expect(screen).toMatch(/session \S+_1 \(2 messages so far\)\n.*\n\n> Fix the login\n\nIt is fixed\.\n\n>/);
      await say(second, "Run the tests", "Tests pass.");
      expect(home.sessions()).toStrictEqual([id]);
      // Another terminal beside it.
      await using third = await home.open([{ text: "Hello." }], ...workspace);
      expect(await third.terminal.screen()).toMatch(/session \S+_2\n/);
      expect(await leave(third)).toBeUndefined();
      expect(home.sessions()).toStrictEqual([id]);
      expect(await leave(second)).toContain("or -c");
    },
  );

  test("without a workspace main continues, and leaving says so", async () => {
    using home = user();
    await using run = await home.open([{ text: "Hello." }]);
    await say(run, "Hi", "Hello.");
    expect(home.sessions()).toStrictEqual(["main"]);
    expect(await leave(run)).toMatch(/^Continue with: mdx-ai \S+agent$/);
  });

  test("/rename gives a session its title, which lists show; the command line can, too", async () => {
    using home = user();
    await using run = await home.open([{ text: "Done." }], "--workspace", home.repository);
    await say(run, "/rename", "Say what to call this session: /rename TITLE");
    await say(run, "Fix the login", "Done.");
    await say(run, "/rename  The login, at last", "This session is called: The login, at last");
    expect(await say(run, "/session list", "This is session")).toMatch(/ ~\/repository +The\s+login,\s+at\s+last/);
    expect(await say(run, "/session info", "Figures")).toMatch(/^Title +The login, at last$/m);
    await leave(run);
    const [id = ""] = home.sessions();
    const sessions = (...args: readonly string[]) =>
      runCommandLine(["sessions", "agent", ...args], { home: home.home });
    const { sessions: listed } = JSON.parse((await sessions("--json")).stdout);
    expect(listed).toMatchObject([{ id, title: "The login, at last", workspace: home.repository }]);
    expect(await sessions("title", id, "Login\u001b[2J")).toMatchObject({
      exitCode: 0,
      stdout: `Titled: ${id} is "Login"\n`,
    });
    expect((await sessions()).stdout).toMatch(new RegExp(`^${id} .* ~/repository +Login$`, "m"));
    expect((await sessions("title", id)).stdout).toBe(`Titled: ${id} has its first prompt as its title\n`);
    expect(sessionSummary(home.directory, id)).toMatchObject({ title: "Fix the login" });
    expect(readFileSync(join(home.directory, `sessions/${id}/journal.jsonl`), "utf8")).not.toContain("at last");
  });

  test("a session of another workspace continues here, and a line says so", async () => {
    using home = user();
    home.interrupt("other", "Look around", "/somewhere/else");
    await using run = await home.open([{ text: "Done." }], "--workspace", home.repository, "--session", "other");
    expect(await run.terminal.history()).toMatch(
      /session other has worked in \/somewhere\/else; from now on it works in\s/,
    );
  });
});

describe.skipIf(requireProgram("tmux"))("--resume on a terminal", () => {
  test("lets the user choose, with this workspace's sessions first, and finishes what was interrupted there", async () => {
    using home = user();
    home.interrupt("one", "Fix the login", "/somewhere/else");
    home.interrupt("two", "Write the docs", home.repository);
    await using run = await home.open(
      [{ text: "Written." }, { text: "Fixed." }],
      "--workspace",
      home.repository,
      "--resume",
    );
    const shown = await run.terminal.screen();
    expect(shown).toMatch(
      /● Write the docs +interrupted, just now, two, 0 turns\n {2}Fix the login +interrupted, just now, \//,
    );
    expect(shown).toContain("/somewhere/els");
    await run.terminal.press("Down");
    await run.terminal.waitFor(/● Fix the login/);
    await run.terminal.press("Up");
    await run.terminal.waitFor(/● Write the docs/);
    await run.terminal.type("login");
    expect(await run.terminal.waitFor(/● Fix the login/)).not.toContain("Write the docs");
    await run.terminal.press("C-u");
    await run.terminal.waitFor(/● Write the docs/);
    await run.terminal.press("Enter");
    const resumed = await run.terminal.waitFor("Written.");
    expect(resumed).toContain('interrupted: "Write the docs"');
    expect(resumed).not.toContain("Which session");
    expect(await leave(run)).toContain("--session two");
  });

  test.each([
    ["Escape", 0],
    ["C-c", 130],
    ["C-d", 0],
  ])("%s leaves, and nothing runs", async (key, exitCode) => {
    using home = user();
    home.interrupt("one", "Fix the login");
    await using run = await home.open([{ text: "never" }], "--resume");
    await run.terminal.press(key);
    expect(await run.terminal.exitCode()).toBe(exitCode);
    expect(await run.terminal.screen()).not.toContain("Which session");
    expect(home.sessions()).toStrictEqual(["one"]);
    expect(sessionSummary(home.directory, "one")).toMatchObject({ isUnfinished: true, turns: 0 });
  });

  test("begins a new session if there is none", async () => {
    using home = user();
    await using run = await home.open([{ text: "Hello." }], "--workspace", home.repository, "--resume");
    expect(await run.terminal.history()).toContain("there is no session to resume; starting a new one");
    await say(run, "Hi", "Hello.");
    expect(home.sessions()).toStrictEqual([expect.stringMatching(/_1$/)]);
  });
});

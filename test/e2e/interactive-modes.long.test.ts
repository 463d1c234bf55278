import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { GREETING_AGENT, writeFiles } from "../support/agent-files.ts";
import { eventually } from "../support/eventually.ts";
import {
  definedOf,
  type InteractiveOptions,
  type InteractiveRun,
  openInteractive,
} from "../support/interactive-session.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { cliCommand, cliEnvironment, runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { openTmux } from "../support/tmux.ts";

const UTF8 = { LC_ALL: "C.UTF-8" };
const WRITE: Reply = { calls: [{ id: "1", name: "write_file", arguments: { path: "a.txt", content: "hello\n" } }] };
const STATUS: Reply = { calls: [{ id: "2", name: "bash", arguments: { command: "git status --short" } }] };
const LONG_STATUS: Reply = { calls: [{ id: "3", name: "bash", arguments: { command: "git status" } }] };
const usage = { input: 1234, output: 56 };

/** A user in a workspace of the home folder; no sandbox holds the shell. */
async function user(options: InteractiveOptions = {}) {
  const folder = temporaryDirectory();
  const home = folder.path;
  const workspace = join(home, "shop");
  mkdirSync(workspace);
  const args = ["--workspace", workspace, "--sandbox", "off", ...(options.args ?? [])];
  const run = await openInteractive({ environment: UTF8, settings: "", ...options, home, args });
  return {
    ...run,
    workspace,
    async [Symbol.asyncDispose]() {
      await run[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

async function say({ terminal }: Pick<InteractiveRun, "terminal">, text: string): Promise<void> {
  await terminal.type(text);
  await terminal.press("Enter");
}

/** Answers a question in lines, again while it says that it was only just asked, until something else is shown. */
async function sayUntil(run: Pick<InteractiveRun, "terminal">, text: string, shown: RegExp): Promise<void> {
  const reminders = (screen: string): number => screen.split("had only just been asked").length;
  for (;;) {
    const before = reminders(await run.terminal.history());
    await say(run, text);
    const screen = await run.terminal.waitForHistory((all) => shown.test(all) || reminders(all) > before);
    if (shown.test(screen)) return;
  }
}

/** Waits until the window has a title. */
async function titled({ terminal }: Pick<InteractiveRun, "terminal">, title: string): Promise<void> {
  const end = performance.now() + 40_000;
  let shown = await terminal.ask("#{pane_title}");
  while (shown !== title && performance.now() < end) {
    await Bun.sleep(25);
    shown = await terminal.ask("#{pane_title}");
  }
  expect(shown).toBe(title);
}

/** The text of the journals of all sessions. */
function journalsOf({ directory }: Pick<InteractiveRun, "directory">): string {
  const journals = [...new Glob("sessions/*/journal.jsonl").scanSync(directory)];
  return journals.map((path) => readFileSync(join(directory, path), "utf8")).join("");
}

/** The lines of a screen without blank ones at its end. */
const linesOf = (screen: string): readonly string[] => screen.trimEnd().split("\n");

describe.skipIf(requireProgram("tmux"))("a conversation with modes", () => {
  test.each([
    [80, 24, /^.*script · .*… │ Hi │ ~\/shop │ ask │ 1,290 tok$/],
    [120, 40, /^script · .*… │ Hi │ ~\/shop │ ask │ 1,290 tok │ ↑1,234 ↓56$/],
    [20, 10, /^Hi │ ask │ 1,290 tok$/],
  ])(
    "at %d×%d the line below the input shows what matters, Shift+Tab changes the mode, and nothing is wider",
    async (columns, rows, line) => {
      await using run = await user({ columns, rows, replies: [{ text: "Hello.", usage }] });
      const { terminal } = run;
      await say(run, "Hi");
      await terminal.waitFor((screen) => line.test(linesOf(screen).at(-1) ?? ""));
      for (const mode of ["edits", "plan", "all", "ask"]) {
        await terminal.press("BTab");
        await terminal.waitFor((screen) => new RegExp(`(^|│ )${mode} │`).test(linesOf(screen).at(-1) ?? ""));
      }
      expect(linesOf(await terminal.screen()).at(-2)).toBe(">");
      await terminal.resize(50, 20);
      const screen = await terminal.waitFor(
        (shown) => linesOf(shown).at(-1) === "Hi │ ~/shop │ ask │ 1,290 tok │ ↑1,234 ↓56",
      );
      expect(screen.match(/tok/g)?.length).toBeLessThanOrEqual(2);
    },
  );

  test("e allows all edits of the session, p a prefix of commands; /permissions and /mode show and change it", async () => {
    await using run = await user({
      replies: [WRITE, WRITE, STATUS, LONG_STATUS, { text: "Done." }, { text: "Planned." }],
    });
    const { terminal } = run;
    await say(run, "Go");
    await terminal.waitFor("e all edits");
    await terminal.press("e");
    const asked = await terminal.waitFor("p this prefix");
    expect(asked).toContain('"This prefix" allows bash(git status *) in this session');
    expect(readFileSync(join(run.workspace, "a.txt"), "utf8")).toBe("hello\n");
    await terminal.press("p");
    await terminal.waitFor("Done.");
    expect((await terminal.history()).match(/wants to/g)).toHaveLength(2);
    await say(run, "/permissions");
    await terminal.waitFor("bash(git status *): this session");
    expect(await terminal.screen()).toContain("Mode edits: writes in the workspace without asking");
    await say(run, "/mode plan");
    await terminal.waitFor("Mode plan: tools only read");
    await say(run, "And now?");
    expect(await terminal.waitFor("Planned.")).not.toContain("The user chose plan mode");
    const [session = ""] = /\d{4}-\d\d-\d\d_1/.exec(await terminal.history()) ?? [];
    const journal = readFileSync(join(run.directory, "sessions", session, "journal.jsonl"), "utf8");
    expect(journal).toContain("(The user chose plan mode: tools can only read.");
  });

  test("a plan is carried out in the mode that the user chooses, changed by what is typed, or left", async () => {
    await using run = await user({
      replies: [
        { text: "First write a.txt." },
        { text: "Write it with tabs." },
        WRITE,
        { text: "Written." },
        { text: "Which file?" },
      ],
    });
    const { terminal } = run;
    await say(run, "/mode plan");
    // What is typed at once with it would be one input.
    await terminal.waitFor(/^Mode plan/m);
    await say(run, "Plan it");
    await terminal.waitFor("Carry out this plan? Or type what to change.");
    await say(run, "use tabs");
    await terminal.waitFor(
      (screen) => screen.includes("Write it with tabs.") && screen.includes("Carry out this plan?"),
    );
    expect(await terminal.history()).not.toContain("wants to");
    await terminal.press("Down");
    await terminal.press("Enter");
    await terminal.waitFor("Written.");
    const shown = await terminal.history();
    expect(shown).toContain("> use tabs");
    expect(shown).toContain("> Carry out the plan.");
    expect(shown).not.toContain("wants to");
    expect(readFileSync(join(run.workspace, "a.txt"), "utf8")).toBe("hello\n");
    await say(run, "/mode");
    await terminal.waitFor("Mode edits");
    await say(run, "/mode plan");
    // What is typed at once with it would be one input.
    await terminal.waitFor(/^Mode plan/m);
    await say(run, "And now?");
    await terminal.waitFor("Which file?");
    expect(await terminal.screen()).not.toContain("Carry out this plan?");
  });

  test("the window is named after agent and session, and has its own title back at the end", async () => {
    await using run = await user({
      replies: [{ text: "Hello." }],
      shell: "printf '\\033]2;mine\\007'; \"$@\"; sleep 60",
    });
    const { terminal } = run;
    await say(run, "Fix the login");
    await terminal.waitFor("Hello.");
    await titled(run, "Greeter – Fix the login");
    await say(run, "/quit");
    await titled(run, "mine");
  });

  test("statusbar: birdie in the user's settings shows birdie's line, and off shows none, regardless of the directory", async () => {
    const agent = "---\nstatusbar: birdie\n---\n\n# Agent: Bird\n\n## Purpose\n\nTo sing.\n";
    for (const [settings, files, shown] of [
      [
        "statusbar: birdie\n",
        {},
        /^ script · .* {3}│ {3}session: .*_1 {3}│ {3}ctx: 1,234 tok {3}│ {3}spent: ↑1,234 {2}↓56 tok$/,
      ],
      ["notify: off\n", { "agent.mdx": agent }, / {3}│ {3}ctx: 1,234 tok {3}│ /],
      ["statusbar: off\n", { "agent.mdx": agent }, /^>$/],
    ] as const) {
      await using run = await user({ settings, files, columns: 200, replies: [{ text: "Hello.", usage }] });
      await say(run, "Hi");
      await run.terminal.waitFor("Hello.");
      await run.terminal.waitFor((screen) => shown.test(linesOf(screen).at(-1) ?? ""));
    }
  });

  test("an unknown status bar is an error at its line", async () => {
    using folder = temporaryDirectory();
    const files = { "agent.mdx": "---\nstatusbar: bird\n---\n\n# Agent: Bird\n\n## Purpose\n\nTo sing.\n" };
    writeFiles(join(folder.path, "agent"), files);
    const { exitCode, stdout, stderr } = await runCli(["check", "agent"], { home: folder.path });
    expect(exitCode).not.toBe(0);
    expect(stdout + stderr).toContain("agent.mdx:2:12");
  });
});

describe.skipIf(requireProgram("tmux"))("--plain", () => {
  test.each([
    ["--plain", ["--plain"], "TERM=xterm", ""],
    ["--screen-reader", ["--screen-reader"], "TERM=xterm", ""],
    ["a screen reader that the environment names", [], "ACCESSIBLE=1", ""],
    ["plain in the settings", [], "TERM=xterm", "plain: on\n"],
    ["a terminal that cannot move its cursor", [], "TERM=dumb", ""],
  ])("%s: a conversation in lines, without a control sequence", async (_name, args, variable, settings) => {
    using folder = temporaryDirectory();
    const log = join(folder.path, "output");
    const replies = [{ text: "Hello **Ada**." }, WRITE, STATUS, { text: "Done." }];
    await using run = await user({
      args,
      replies,
      settings: `statusbar: off\n${settings}`,
      shell: `script -qfc "env ${variable} $(printf "'%s' " "$@")" ${log}`,
    });
    const { terminal } = run;
    await say(run, "Hi \\");
    await say(run, "all");
    await terminal.waitFor("Hello Ada.");
    await terminal.waitFor(/^> $|^>$/m);
    await say(run, "Write");
    await terminal.waitFor(/^3\. all edits$/m);
    await sayUntil(run, "3", /^3\. this prefix$/m);
    await sayUntil(run, "5 not now", /^Done\.$/m);
    expect(await terminal.history()).toContain("the user refused it: not now");
    await say(run, "/mode");
    await terminal.waitForHistory("Mode edits");
    await terminal.press("C-d");
    await terminal.waitForHistory("Continue with");
    const output = readFileSync(log, "utf8").replaceAll("\u0007", "");
    expect(output).not.toContain("\u001b");
    expect(output.replaceAll("\r\n", "\n")).not.toContain("\r");
  });

  test("the trust question and the session to resume are chosen by number, without a control sequence", async () => {
    using folder = temporaryDirectory();
    const directory = writeFiles(join(folder.path, "agent"), { "agent.mdx": GREETING_AGENT });
    const log = join(folder.path, "output");
    const open = async (reply: string, args: readonly string[]) => {
      const model = scriptReference(folder.path, [{ text: reply }]);
      const program = cliCommand(["agent", directory, "--plain", "--model", model, ...args]);
      return openTmux({
        command: ["sh", "-c", `script -qafc "$(printf "'%s' " "$@")" ${log}`, "sh", ...program],
        cwd: folder.path,
        environment: definedOf(cliEnvironment({ home: folder.path, environment: { TERM: undefined, ...UTF8 } })),
        columns: 100,
        rows: 40,
      });
    };
    await using first = await open("Hello.", []);
    await first.waitFor(/^1\. No$/m);
    await say({ terminal: first }, "7");
    await first.waitFor("Enter a number from 1 to 3");
    await say({ terminal: first }, "3");
    await first.waitFor(/^> ?$/m);
    await say({ terminal: first }, "Good morning");
    await first.waitFor("Hello.");
    await first.press("C-d");
    expect(await first.exitCode()).toBe(0);

    await using second = await open("Welcome back.", ["--resume"]);
    await second.waitFor(/^1\. Good morning, .*1 turn/m);
    await say({ terminal: second }, "1");
    await second.waitFor(/^> ?$/m);
    await say({ terminal: second }, "Once more");
    await second.waitFor("Welcome back.");
    await second.press("C-d");
    expect(await second.exitCode()).toBe(0);

    await using third = await open("never", ["--resume"]);
    await third.waitFor(/^1\. Good morning, .*2 turns/m);
    await third.press("Enter");
    expect(await third.exitCode()).toBe(0);
    expect(readFileSync(log, "utf8").replaceAll("\u0007", "")).not.toContain("\u001b");
  });

  test("@FILE is attached, !COMMAND runs, and the model receives both", async () => {
    await using run = await user({ args: ["--plain"], replies: [{ text: "I see." }] });
    writeFiles(run.workspace, { "note.txt": "the secret of the pond\n" });
    const { terminal } = run;
    await say(run, "!echo from $((40 + 2)) users");
    await terminal.waitFor(/^Running echo from/m);
    await terminal.waitFor(/^ *from 42 users$/m);
    await terminal.waitFor(/^> ?$/m);
    await say(run, "Read @note.txt");
    await terminal.waitFor("I see.");
    expect(await terminal.history()).not.toContain("attached_file");
    const said = journalsOf(run);
    expect(said).toContain("the secret of the pond");
    expect(said).toContain("from 42 users");
  });

  test("Ctrl+C stops the prompt, and twice leaves", async () => {
    await using run = await user({ args: ["--plain"], replies: [{ text: "never", delay: 60_000 }] });
    const { terminal } = run;
    await say(run, "Hi");
    await eventually(() => expect(journalsOf(run)).toContain('"Hi"'));
    await terminal.press("C-c");
    await terminal.waitFor("Stopped");
    await terminal.press("C-c");
    await terminal.press("C-c");
    expect(await terminal.exitCode()).toBe(0);
  });
});

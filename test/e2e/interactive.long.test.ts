import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type InteractiveRun, openInteractive } from "../support/interactive-session.ts";
import { requireProgram } from "../support/require-program.ts";
import type { TmuxTerminal } from "../support/tmux.ts";

const spinner = /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /m;
/** Milliseconds that no test lasts. */
const forever = 600_000;
const skill = "---\nname: greet\ndescription: Greets in verse\n---\nGreet as a poet does.\n";

async function send(terminal: TmuxTerminal, text: string): Promise<void> {
  await terminal.type(text);
  await terminal.press("Enter");
}

/** The texts that the user sent, as the session keeps them. */
async function userTexts(directory: string): Promise<readonly string[]> {
  const history: unknown = await Bun.file(join(directory, "sessions/main/history.json")).json();
  return Array.isArray(history) ? history.filter(({ role }) => role === "user").map(({ content }) => content) : [];
}

describe.skipIf(requireProgram("tmux"))("the interactive session", () => {
  test("opens without --prompt and shows agent, model, session and that no model is configured", async () => {
    await using run = await openInteractive();
    const screen = await run.terminal.waitFor("session main");
    expect(screen).toMatch(/^Greeter · offline\/\S+ · session main$/m);
    expect(screen.match(/[Nn]o language model/g)).toHaveLength(1);
  });

  test("shows a spinner while the model thinks", async () => {
    await using run = await openInteractive({ replies: [{ text: "never", delay: forever }] });
    await send(run.terminal, "go");
    const first = spinner.exec(await run.terminal.waitFor(/^\S thinking .* Esc stops$/m))?.[0];
    await run.terminal.waitFor((screen) => spinner.test(screen) && spinner.exec(screen)?.[0] !== first);
  });

  test("shows text before its end has arrived", async () => {
    await using run = await openInteractive({ replies: [{ deltas: ["First part, ", "second"], deltaDelay: forever }] });
    await send(run.terminal, "go");
    expect(await run.terminal.waitFor(/^First part,[\s\S]*answering/m)).not.toContain("second");
  });

  test("shows the whole answer and the input alone at the end of a prompt", async () => {
    await using run = await openInteractive({ replies: [{ deltas: ["First part, ", "second part"], deltaDelay: 50 }] });
    await send(run.terminal, "go");
    await run.terminal.waitFor(/First part, second part\n+>\n*$/);
  });

  test.skipIf(requireProgram("bwrap"))(
    "shows a tool call with its arguments and the first lines of its result",
    async () => {
      await using run = await openInteractive({
        replies: [{ calls: [{ id: "c1", name: "bash", arguments: { command: "seq 101 125" } }] }, { text: "Counted." }],
        rows: 40,
      });
      await send(run.terminal, "count");
      const screen = await run.terminal.waitFor("Counted.");
      expect(screen).toMatch(
        /● \$ seq 101 125( \(\d+ s\))?\n {2}101\n {2}102\n {2}103\n {2}… 15 more lines \(Ctrl\+O\)\n {2}119\n[\s\S]* {2}125\n/,
      );
    },
  );

  test("shows the error of a tool and of the model, and continues", async () => {
    await using run = await openInteractive({
      replies: [
        { calls: [{ id: "c1", name: "greet", arguments: { name: "nobody" } }] },
        { error: { message: "the model is on strike", status: 400 } },
        { text: "Back at work." },
      ],
    });
    await send(run.terminal, "greet nobody");
    const screen = await run.terminal.waitFor("the model is on strike");
    expect(screen).toContain("there is nobody");
    await send(run.terminal, "and now?");
    await run.terminal.waitFor("Back at work.");
  });

  test("shows the turn limit that ended a prompt", async () => {
    const call = { calls: [{ id: "c1", name: "greet", arguments: { name: "Ann" } }] };
    await using run = await openInteractive({ replies: [call, call, call], args: ["--max-turns", "2"] });
    await send(run.terminal, "go");
    await run.terminal.waitFor(/limit of 2 turns/);
  });

  test.skipIf(requireProgram("bwrap"))("lets no control sequence of a model or a tool reach the terminal", async () => {
    const evil = String.raw`\033]0;OWNED\007\033[2J\033[H\033[?1049h\033[31mtoo`;
    await using run = await openInteractive({
      replies: [
        { calls: [{ id: "c1", name: "bash", arguments: { command: `printf '${evil}'; echo l output` } }] },
        { text: "\u001b]2;OWNED\u0007\u009b2Jmodel output" },
      ],
    });
    await send(run.terminal, "be evil");
    const screen = await run.terminal.waitFor("model output");
    expect(screen).toContain("Greeter");
    expect(screen).toMatch(/^ {2}tool output$/m);
    // The program itself names the window after the session at some moment.
    const [title, alternate] = (await run.terminal.ask("#{pane_title}\t#{alternate_on}")).split("\t");
    expect(title).not.toContain("OWNED");
    expect(alternate).toBe("0");
  });

  test("takes a pasted text of many lines exactly, and Ctrl+J as a new line", async () => {
    const pasted = "  first\n\n\tindented 👩‍👩‍👧‍👦 日本語\n/usr/bin ~ .\n\nlast ";
    const long = Array.from({ length: 30 }, (_, index) => `long ${index}\n`).join("\n");
    await using run = await openInteractive({ replies: [{ text: "Got it." }, { text: "Got that." }] });
    await run.terminal.type("x");
    await run.terminal.paste(pasted);
    await run.terminal.waitFor("last");
    await run.terminal.press("C-j");
    await send(run.terminal, "typed");
    await run.terminal.waitFor("Got it.");
    await run.terminal.paste(long);
    await run.terminal.waitFor("[paste #1");
    await run.terminal.press("Enter");
    await run.terminal.waitFor("Got that.");
    expect(await userTexts(run.directory)).toEqual([`x${pasted}\ntyped`, long]);
  });

  test.each([
    ["three lines", "one\n\t二\nthree", "three"],
    ["5,000 lines", Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join("\n"), "[paste #1"],
  ])("takes %s that are pasted without brackets as one prompt", async (_name, pasted, shown) => {
    await using run = await openInteractive({ replies: [{ text: "Got it." }, { text: "And that." }] });
    await run.terminal.pasteAsTyped(pasted);
    await run.terminal.waitFor(shown);
    await run.terminal.press("Enter");
    await run.terminal.waitFor("Got it.");
    await run.terminal.pasteAsTyped(`${pasted}\n`);
    await run.terminal.waitFor("And that.");
    expect(await userTexts(run.directory)).toEqual([pasted, pasted]);
  });

  test("sends each command of several lines that arrive at once", async () => {
    await using run = await openInteractive({});
    await run.terminal.pasteAsTyped("/remember it is blue\n/remember it is round\n");
    await run.terminal.waitFor(/from the next prompt on: it is blue\n[\s\S]*from the next prompt on: it is round\n/);
  });

  test("keeps a command that must wait for the end of a running prompt in the input, and says so", async () => {
    await using run = await openInteractive({ replies: [{ text: "never", delay: forever }] });
    await send(run.terminal, "go");
    await run.terminal.waitFor("thinking");
    await send(run.terminal, "/clear");
    expect(await run.terminal.waitFor("A prompt is running")).toMatch(/^> \/clear$/m);
  });

  test("answers /help while a prompt runs", async () => {
    await using run = await openInteractive({ replies: [{ text: "never", delay: forever }], rows: 40 });
    await send(run.terminal, "go");
    await run.terminal.waitFor("thinking");
    await send(run.terminal, "/help");
    expect(await run.terminal.waitFor(/\/clear +archive and/)).toContain("thinking");
  });

  test("answers /help, /skills, an unknown command and /quit, which exits with 0", async () => {
    await using run = await openInteractive({ files: { "skills/greet/SKILL.md": skill }, rows: 50 });
    await send(run.terminal, "/help");
    await run.terminal.waitFor(/\/clear +archive and/);
    await send(run.terminal, "/skills");
    await run.terminal.waitFor("/skill:greet  Greets in verse");
    await send(run.terminal, "/hepl");
    await run.terminal.waitFor("There is no command /hepl; did you mean `/help`?");
    await send(run.terminal, "/quit");
    expect(await run.terminal.exitCode()).toBe(0);
  });

  test("uses a skill with /skill:name and its arguments", async () => {
    await using run = await openInteractive({
      files: { "skills/greet/SKILL.md": skill },
      replies: [{ text: "O Ann, my Ann!" }],
    });
    await send(run.terminal, "/skill:greet Ann of Vienna");
    await run.terminal.waitFor("O Ann, my Ann!");
    const [text = ""] = await userTexts(run.directory);
    expect(text).toContain("Greet as a poet does.");
    expect(text).toContain("Ann of Vienna");
  });

  test("archives the history with /clear, says so, and starts over", async () => {
    await using run = await openInteractive({ replies: [{ text: "One." }, { text: "Two." }] });
    await send(run.terminal, "first");
    await run.terminal.waitFor("One.");
    await send(run.terminal, "/clear");
    await run.terminal.waitFor("The history of this session is archived");
    await send(run.terminal, "second");
    await run.terminal.waitFor("Two.");
    expect(await userTexts(run.directory)).toEqual(["second"]);
  });

  test("shows how many messages an earlier session has", async () => {
    await using first = await openInteractive({ replies: [{ text: "One." }] });
    await send(first.terminal, "hello");
    await first.terminal.waitFor("One.");
    await send(first.terminal, "/quit");
    await first.terminal.exitCode();
    await using second = await openInteractive({ directory: first.directory });
    await second.terminal.waitFor("session main (2 messages so far)");
  });

  test("says at once that a session is in use elsewhere", async () => {
    await using first = await openInteractive();
    await using second = await openInteractive({
      directory: first.directory,
      shell: '"$@"; echo "code $?"; echo ">"; exec cat',
    });
    expect(await second.terminal.waitFor("code 1")).toMatch(/session main is in use/);
  });

  test("stops the running prompt at Ctrl+C, keeps what had arrived, and continues", async () => {
    const half = { deltas: ["Half an answer", " and the rest"], deltaDelay: forever };
    await using run = await openInteractive({ replies: [half, { text: "Ready again." }] });
    await send(run.terminal, "go");
    await run.terminal.waitFor("Half an answer");
    await run.terminal.press("C-c");
    expect(await run.terminal.waitFor(/^Stopped$/m)).toContain("Half an answer");
    await send(run.terminal, "again");
    await run.terminal.waitFor("Ready again.");
  });

  test.skipIf(requireProgram("bwrap"))("stops a running tool at Ctrl+C", async () => {
    await using run = await openInteractive({
      replies: [{ calls: [{ id: "c1", name: "bash", arguments: { command: "sleep 600" } }] }],
    });
    await send(run.terminal, "sleep");
    await run.terminal.waitFor("running bash");
    await run.terminal.press("C-c");
    await run.terminal.waitFor(/^Stopped$/m);
  });

  test("warns at the first Ctrl+C, which empties the input, and exits with 0 at the second", async () => {
    await using run = await openInteractive();
    await run.terminal.type("some text");
    await run.terminal.waitFor("> some text");
    await run.terminal.press("C-c");
    await run.terminal.waitFor(/Press Ctrl\+C again to exit\n>\n/);
    // On a machine that stood still for seconds the second press counts as a first one again.
    await run.terminal.press("C-c", "C-c");
    expect(await run.terminal.exitCode()).toBe(0);
  });

  test("exits with 0 at two quick Ctrl+C while a prompt runs", async () => {
    await using run = await openInteractive({ replies: [{ text: "never", delay: forever }] });
    await send(run.terminal, "go");
    await run.terminal.waitFor("thinking");
    await run.terminal.press("C-c", "C-c");
    expect(await run.terminal.exitCode()).toBe(0);
  });

  test("exits at Ctrl+D in an empty input alone", async () => {
    await using run = await openInteractive();
    await run.terminal.type("ab");
    await run.terminal.press("Left", "C-d");
    await run.terminal.waitFor(/^> a$/m);
    await run.terminal.press("BSpace", "C-d");
    expect(await run.terminal.exitCode()).toBe(0);
  });

  test("clears the screen at Ctrl+L and keeps the input", async () => {
    await using run = await openInteractive();
    await run.terminal.type("draft");
    await run.terminal.waitFor("> draft");
    await run.terminal.press("C-l");
    await run.terminal.waitFor(/^> draft\n*$/);
    expect(await run.terminal.history()).toContain("Greeter");
  });

  test.each([
    ["/quit", (run: InteractiveRun) => send(run.terminal, "/quit"), "0"],
    ["SIGTERM", (run: InteractiveRun) => signal(run, "SIGTERM"), "143"],
    ["SIGHUP", (run: InteractiveRun) => signal(run, "SIGHUP"), "129"],
    ["a crash", (run: InteractiveRun) => send(run.terminal, "crash"), "1"],
  ])("gives the terminal back as it was after %s", async (_name, leave, exitCode) => {
    await using run = await openInteractive({
      shell:
        'before=$(stty -g); sh -c \'echo $$ >pid; exec "$@"\' sh "$@"; echo "code $?"; [ "$before" = "$(stty -g)" ] && echo "same modes"; exec cat',
      files: { "modules/crash.ts": crashModule },
      replies: [{ calls: [{ id: "c1", name: "crash", arguments: {} }] }, { text: "thinking on", delay: forever }],
    });
    await leave(run);
    const screen = await run.terminal.waitFor("same modes");
    expect(screen).toContain(`code ${exitCode}`);
    expect(screen.includes("out of the blue")).toBe(exitCode === "1");
    expect(await run.terminal.ask("#{cursor_flag} #{keypad_cursor_flag} #{alternate_on}")).toBe("1 0 0");
    await run.terminal.paste("no brackets\n");
    await run.terminal.waitFor(/^no brackets\n(no brackets\n)?/m);
    expect(await run.terminal.screen()).not.toContain("200~");
  });

  test("leaves no process behind when the terminal goes away", async () => {
    const run = await openInteractive({ replies: [{ text: "never", delay: forever }] });
    await send(run.terminal, "go");
    await run.terminal.waitFor("thinking");
    const pid = await run.terminal.pid();
    await run[Symbol.asyncDispose]();
    while (await isAlive(pid)) {
      await Bun.sleep(25);
    }
    expect(await isAlive(pid)).toBe(false);
  });

  test("works in 20 columns, without colour and with ASCII ornaments alone where the locale asks for it", async () => {
    await using run = await openInteractive({
      columns: 20,
      rows: 30,
      environment: { LANG: "C", NO_COLOR: "1" },
      replies: [
        { text: "# Title\n\n- one\n- two\n\n`code` in a line that is wrapped\n" },
        { text: "never", delay: forever },
      ],
    });
    await send(run.terminal, "a question that is longer than the terminal is wide");
    await run.terminal.waitFor("wrapped");
    await send(run.terminal, "more");
    await run.terminal.waitFor("thinking");
    const history = await run.terminal.history();
    expect(history).toMatch(/^[ -~\n]*$/);
    expect(history).toContain("* one\n");
  });

  test("loses no text when the terminal is resized while it streams, and draws the input once", async () => {
    const words = Array.from({ length: 120 }, (_, index) => `word${index}.`);
    await using run = await openInteractive({
      replies: [{ deltas: words.map((word, index) => `${word}${index % 6 === 5 ? "\n\n" : " "}`), deltaDelay: 25 }],
    });
    await send(run.terminal, "stream");
    const sizes = [
      { columns: 40, rows: 12 },
      { columns: 100, rows: 30 },
      { columns: 30, rows: 24 },
      { columns: 80, rows: 24 },
    ];
    for (const [index, { columns, rows }] of sizes.entries()) {
      await run.terminal.waitForHistory(`word${index * 20 + 10}.`);
      await run.terminal.resize(columns, rows);
    }
    await run.terminal.waitForHistory("word119.");
    const screen = await run.terminal.waitFor(/\n>\n*$/);
    expect(screen.match(/^>$/gm)).toHaveLength(1);
    const history = await run.terminal.history();
    expect(words.filter((word) => !history.includes(word))).toEqual([]);
  });

  test("shows what a module asks in the background, and its answer", async () => {
    await using run = await openInteractive({
      files: { "modules/waker.ts": wakerModule },
      replies: [{ text: "Good morning." }],
    });
    const screen = await run.terminal.waitFor("Good morning.");
    expect(screen).toContain("(in the background) wake up");
  });

  test("lets a prompt wait for one of the background, and Ctrl+C takes it back", async () => {
    await using run = await openInteractive({
      files: { "modules/waker.ts": wakerModule },
      replies: [{ text: "never", delay: forever }],
    });
    await run.terminal.waitFor("thinking in the background");
    await send(run.terminal, "mine");
    await run.terminal.waitFor(/^\S waiting/m);
    await run.terminal.press("C-c");
    await run.terminal.waitFor(/^Stopped[\s\S]*^> mine$/m);
    await run.terminal.press("Enter");
    await run.terminal.waitFor(/^> mine\n\n\S waiting/m);
  });
});

const moduleOf = (start: string, tools: string): string => `
let context;
export default {
  describe: () => ({ name: "test", description: "For a test" }),
  initialize: async (given) => { context = given; },
  tools: () => [${tools}],
  systemPrompt: () => "",
  start: async () => { ${start} },
  stop: () => {},
};
`;

const wakerModule = moduleOf('void context.prompt("wake up");', "");

/** A tool that answers, and then throws where nobody catches. */
const crashModule = moduleOf(
  "",
  `{
    name: "crash", description: "Crashes", parameters: { type: "object", properties: {} },
    execute: async () => { setTimeout(() => { throw "out of the blue"; }, 100); return "soon"; },
  }`,
);

/** To the program, whose shell has written its process id down. */
async function signal(run: InteractiveRun, name: "SIGTERM" | "SIGHUP"): Promise<void> {
  process.kill(Number(await Bun.file(join(run.directory, "../pid")).text()), name);
}

/** A process that has ended may stay listed until somebody asks for its exit code. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = Bun.file(`/proc/${pid}/status`);
  return !((await status.exists()) && /^State:\s+Z/m.test(await status.text().catch(() => "")));
}

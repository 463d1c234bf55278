import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AnthropicReply, answerEvents, textReply, toolReply } from "../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../support/anthropic-server.ts";
import { gatedCall, openGate } from "../support/gated-tool.ts";
import { type InteractiveOptions, type InteractiveRun, openInteractive } from "../support/interactive-session.ts";
import { requireProgram } from "../support/require-program.ts";
import type { TmuxTerminal } from "../support/tmux.ts";

setDefaultTimeout(60_000);

const day = String.raw`\d{4}-\d\d-\d\d`;
const model = ["--model", "anthropic/claude-test", "--retries", "0"];

const open = (server: AnthropicServer, options: InteractiveOptions = {}): Promise<InteractiveRun> =>
  openInteractive({
    rows: 40,
    ...options,
    environment: server.environment,
    args: [...model, ...(options.args ?? [])],
  });

async function send(terminal: TmuxTerminal, text: string): Promise<void> {
  await terminal.type(text);
  await terminal.press("Enter");
}

/** Sends a prompt and waits for its answer and its end. */
async function ask(terminal: TmuxTerminal, text: string, answer: string): Promise<void> {
  await send(terminal, text);
  await terminal.waitFor((screen) => screen.includes(answer) && /tokens in.*\n>\n*$/.test(screen));
}

const sessionsOf = ({ directory }: InteractiveRun): readonly string[] =>
  readdirSync(join(directory, "sessions"))
    .filter((name) => !name.startsWith("."))
    .sort();

/** What was typed in a request, in its order. */
const said = (server: AnthropicServer, request: number): readonly string[] =>
  [...(server.requests[request]?.text ?? "").matchAll(/"text":"(say \w+)"/g)].flatMap(([, text]) => text ?? []);

describe.skipIf(requireProgram("tmux"))("/session", () => {
  test("looks and writes where --data says", async () => {
    using server = anthropicServer(textReply("One."), textReply("Two."));
    await using run = await open(server, { args: ["--data", "data"] });
    const { terminal, directory } = run;
    await ask(terminal, "say one", "One.");
    await send(terminal, "/remember the word is blue");
    await send(terminal, "/session new");
    await terminal.waitFor(new RegExp(`session ${day}_1$`, "m"));
    await ask(terminal, "say two", "Two.");
    await send(terminal, "/session list");
    await terminal.waitFor(/main .*say one/);
    expect(["sessions", "state", "logs"].filter((name) => existsSync(join(directory, name)))).toStrictEqual([]);
    const data = join(directory, "../data");
    expect(readdirSync(join(data, "sessions")).toSorted()).toStrictEqual([
      ".ids",
      expect.stringMatching(new RegExp(day)),
      "main",
    ]);
    expect(readFileSync(join(data, "state/memory.json"), "utf8")).toContain("the word is blue");
    expect(server.requests[1]?.text).toContain("the word is blue");
  });

  test("new and switch continue in another session, and say which", async () => {
    using server = anthropicServer(textReply("One."), textReply("Two."), textReply("Three."));
    await using run = await open(server);
    await ask(run.terminal, "say one", "One.");
    await send(run.terminal, "/session new");
    await run.terminal.waitFor(new RegExp(`^Greeter · anthropic/claude-test · session ${day}_1$`, "m"));
    await ask(run.terminal, "say two", "Two.");
    await send(run.terminal, "/session switch main");
    await run.terminal.waitFor(/session main \(2 messages so far\)$/m);
    await ask(run.terminal, "say three", "Three.");
    expect([0, 1, 2].map((request) => said(server, request))).toStrictEqual([
      ["say one"],
      ["say two"],
      ["say one", "say three"],
    ]);
    await send(run.terminal, "/new");
    await run.terminal.waitFor(new RegExp(`session ${day}_2$`, "m"));
    expect(sessionsOf(run)).toStrictEqual([expect.stringMatching(/_1$/), expect.stringMatching(/_2$/), "main"]);
  });

  test("list and info show all sessions and this one, also while a prompt runs", async () => {
    using server = anthropicServer(textReply("One."), { events: [], end: "hang" });
    await using run = await open(server, { columns: 100 });
    await ask(run.terminal, "say one", "One.");
    await send(run.terminal, "say two");
    await run.terminal.waitFor("thinking");
    await send(run.terminal, "/session list");
    await run.terminal.waitFor(/^id +last used +turns +tokens +cost +title$/m);
    await run.terminal.waitFor(/^main .* say one \(running in process \d+\)\nThis is session main\.$/m);
    await send(run.terminal, "/session info");
    await run.terminal.waitFor(/^Session {4}main\nTitle {6}say one\nCreated {4}\d{4}-/m);
    await run.terminal.waitFor(/^Messages {3}3\nMemories {3}0$/m);
    await send(run.terminal, "/session new");
    await run.terminal.waitFor("A prompt is running");
  });

  test("delete asks, removes a session with its history and its logs, and begins a new one where it was this one", async () => {
    using server = anthropicServer(textReply("One."), textReply("Two."));
    await using run = await open(server);
    await ask(run.terminal, "say one", "One.");
    await send(run.terminal, "/session delete main");
    await run.terminal.waitFor("This deletes session main (1 prompt: say one) with its history, for good.");
    await send(run.terminal, "/skills");
    // What arrives together with an Enter, because the program is busy, would be a pasted text.
    await run.terminal.waitFor("This agent has no skills");
    await send(run.terminal, "/session delete main");
    await run.terminal.waitForHistory(/This deletes[\s\S]*This deletes/);
    expect(sessionsOf(run)).toStrictEqual(["main"]);
    await send(run.terminal, "/session delete main");
    await run.terminal.waitFor(/^Deleted: main$/m);
    const [id = "", ...others] = sessionsOf(run);
    expect([id, others]).toStrictEqual([expect.stringMatching(new RegExp(`^${day}_1$`)), []]);
    expect(existsSync(join(run.directory, "logs/main.jsonl"))).toBe(false);
    await ask(run.terminal, "say two", "Two.");
    expect(said(server, 1)).toStrictEqual(["say two"]);
    await send(run.terminal, "/session delete main");
    await run.terminal.waitFor('There is no session "main"; /session list shows');
  });

  test("stays where it is where the other session cannot be had", async () => {
    using server = anthropicServer(textReply("One."));
    await using other = await open(server, { args: ["--session", "work"] });
    await using run = await open(server, { directory: other.directory });
    for (const [words, told] of [
      ["switch work", "session work is in use by process"],
      ["switch nobody", 'There is no session "nobody"; /session list shows the existing ones.'],
      ["switch ../x", "bad session id"],
      ["switch main", "This is already session main."],
      ["delete work", "This deletes session work"],
      ["delete work", "session work is in use by process"],
      ["switch", "There is no other session with a prompt."],
      ["fly", "/session new · switch [ID] · delete ID · list · info"],
    ] as const) {
      await send(run.terminal, `/session ${words}`);
      await run.terminal.waitFor((screen) => screen.slice(screen.lastIndexOf("> /session")).includes(told));
    }
    await ask(run.terminal, "say one", "One.");
    expect(readFileSync(join(run.directory, "sessions/main/journal.jsonl"), "utf8")).toContain("say one");
  });

  test("knows of no session where none is kept", async () => {
    using server = anthropicServer();
    await using run = await open(server, { args: ["--ephemeral"] });
    await send(run.terminal, "/session list");
    await run.terminal.waitFor("This conversation keeps no session and cannot open");
    expect(existsSync(join(run.directory, "sessions"))).toBe(false);
  });
});

test.skipIf(requireProgram("tmux"))(
  "slash commands are local: no model receives them, and each is a tool_result in the session's log",
  async () => {
    using server = anthropicServer(textReply("One."));
    await using run = await open(server);
    await send(run.terminal, "/skills");
    await run.terminal.waitFor("This agent has no skills");
    await ask(run.terminal, "say one", "One.");
    await send(run.terminal, "/session switch nobody");
    await run.terminal.waitFor("There is no session");
    await send(run.terminal, "/quit");
    expect(await run.terminal.exitCode()).toBe(0);
    expect(server.requests).toHaveLength(1);
    const lines = readFileSync(join(run.directory, "logs/main.jsonl"), "utf8").trimEnd().split("\n");
    const records: readonly Record<string, unknown>[] = lines.map((line) => JSON.parse(line));
    expect(records.map(({ event, actor, turn, tool_name }) => [event, actor, turn, tool_name])).toStrictEqual([
      ["session_start", "system", 0, null],
      ["tool_result", "tool", 0, "/skills"],
      ["user_message", "user", 1, null],
      ["assistant_message", "assistant", 1, null],
      ["tool_result", "tool", 1, "/session"],
      ["tool_result", "tool", 1, "/quit"],
    ]);
    expect(records[4]).toMatchObject({
      input: "/session switch nobody",
      output: expect.stringContaining("There is no session"),
    });
  },
);

describe.skipIf(requireProgram("tmux") || requireProgram("bwrap"))("prompts that a killed process interrupted", () => {
  /** A session whose process was killed while a tool ran, with a prompt in the queue. */
  async function killed(server: AnthropicServer): Promise<InteractiveRun> {
    server.add(toolReply({ id: "t1", name: "bash", input: gatedCall("a") }));
    const run = await open(server);
    await send(run.terminal, "say one");
    await run.terminal.waitFor("running bash");
    await send(run.terminal, "/queue say two");
    await run.terminal.waitFor("queued 1");
    process.kill(await run.terminal.pid(), "SIGKILL");
    openGate(run.directory, "a");
    return run;
  }

  const told =
    /^Interrupted and queued prompts:\n {2}interrupted: "say one" \(the outcome of bash is unknown\)\n {2}in the queue: "say two"$/m;
  const finished = /^Resuming what was interrupted[\s\S]*One\.[\s\S]*^> say two\n\nTwo\.$/m;

  test("are shown when the session is opened, and finished by /resume", async () => {
    using server = anthropicServer();
    await using first = await killed(server);
    server.add(textReply("One."), textReply("Two."));
    await using run = await open(server, { directory: first.directory, home: first.home });
    expect(await run.terminal.waitFor(told)).toContain("run before your next prompt; /resume runs them now");
    await send(run.terminal, "/resume");
    expect(await run.terminal.waitFor(finished)).toContain("interrupted");
    await send(run.terminal, "/resume");
    await run.terminal.waitFor("There is nothing to resume.");
    expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined, undefined, undefined]);
  });

  test("are closed for good by /drop", async () => {
    using server = anthropicServer();
    await using first = await killed(server);
    server.add(textReply("Three."));
    await using run = await open(server, { directory: first.directory, home: first.home });
    await run.terminal.waitFor("/drop closes them");
    await send(run.terminal, "/drop");
    await run.terminal.waitFor(/Closed:\n {2}interrupted: "say one".*\n {2}in the queue: "say two"/);
    await ask(run.terminal, "say three", "Three.");
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.text).not.toContain("say two");
    await send(run.terminal, "/drop");
    await run.terminal.waitFor("There is no interrupted or queued prompt.");
  });

  test("of another user are shown, and ended by the next prompt", async () => {
    using server = anthropicServer();
    await using first = await killed(server);
    server.add(textReply("Three."));
    await using run = await open(server, { directory: first.directory });
    await run.terminal.waitFor(told);
    await run.terminal.waitFor(
      /This session was not started by your mdx-ai: your next\s+prompt\s+closes\s+these\s+prompts,\s+and\s+only\s+\/resume\s+runs\s+them/,
    );
    await ask(run.terminal, "say three", "Three.");
    expect(server.requests).toHaveLength(2);
  });

  test("is finished at once with --resume", async () => {
    using server = anthropicServer();
    await using first = await killed(server);
    server.add(textReply("One."), textReply("Two."));
    await using run = await open(server, { directory: first.directory, home: first.home, args: ["--resume"] });
    await run.terminal.waitFor(/^● say one +interrupted, /m);
    await run.terminal.press("Enter");
    await run.terminal.waitFor(told);
    expect(await run.terminal.waitFor(finished)).not.toContain("/resume");
  });

  test("is finished before the next prompt, also behind a switch to its session", async () => {
    using server = anthropicServer();
    await using first = await killed(server);
    server.add(textReply("One."), textReply("Two."), textReply("Three."));
    await using run = await open(server, { directory: first.directory, home: first.home, args: ["--session", "new"] });
    await send(run.terminal, "/session switch main");
    await run.terminal.waitFor(told);
    await send(run.terminal, "say three");
    await run.terminal.waitFor(/Two\.\n\n> say three\n\nThree\.$/m);
    expect(said(server, 3)).toStrictEqual(["say one", "say two", "say three"]);
  });

  test("ends at Esc, and what waited behind it returns to the input", async () => {
    using server = anthropicServer();
    await using first = await killed(server);
    server.add(
      { events: answerEvents([{ text: ["Half"] }]).slice(0, 4), end: "hang" },
      textReply("Two."),
      textReply("Three."),
    );
    await using run = await open(server, { directory: first.directory, home: first.home });
    await send(run.terminal, "say three");
    await run.terminal.waitFor(/Half[\s\S]*^> say three \(queued 1\)$/m);
    await run.terminal.press("Escape");
    await run.terminal.waitFor(/^Stopped$[\s\S]*^> say three$/m);
    await run.terminal.press("Enter");
    await run.terminal.waitFor(/^> say two\n\nTwo\.\n\n> say three\n\nThree\.$/m);
  });
});

describe.skipIf(requireProgram("tmux"))("/undo and /rewind", () => {
  const writing = (content: string): AnthropicReply =>
    toolReply({ id: `toolu_${content}`, name: "write_file", input: { path: "notes.txt", content } });

  test("list the prompts with their files, restore these, and take the prompts out of the conversation", async () => {
    using server = anthropicServer(
      ...[writing("one"), textReply("One."), writing("two"), textReply("Two."), writing("three"), textReply("Three.")],
      textReply("Four."),
    );
    await using run = await open(server, { args: ["--allow", "write_file"] });
    const { terminal, directory } = run;
    const notes = join(directory, "notes.txt");
    await ask(terminal, "say one", "One.");
    await ask(terminal, "say two", "Two.");
    await ask(terminal, "say three", "Three.");
    writeFileSync(notes, "by hand");
    await send(terminal, "/undo");
    await terminal.waitFor(/leaves +notes\.txt \(has changed since\)[\s\S]*also files that have changed since/);
    await terminal.press("f");
    await terminal.waitFor(/Undone: say three; the session continues from the end of prompt 2\.\n +restored +/);
    expect(readFileSync(notes, "utf8")).toBe("two");
    // The text of the prompt is in the input, to be changed and sent again.
    await terminal.waitFor(/\n> say three *\n/);
    await terminal.press("C-u");
    await terminal.waitFor(/\n> *\n/);
    await send(terminal, "/rewind list");
    await terminal.waitFor(/1 {2}say one\n.*notes\.txt\n +2 {2}say two\n.*notes\.txt\n/);
    await send(terminal, "/rewind 3");
    await terminal.waitFor(/This session has no prompt 3/);
    await send(terminal, "/rewind 1");
    await terminal.waitFor(/continues from before the first prompt\.\n +removed +/);
    expect(existsSync(notes)).toBe(false);
    await terminal.waitFor(/\n> say one *\n/);
    await terminal.press("C-u");
    await ask(terminal, "say four", "Four.");
    expect(said(server, 6)).toStrictEqual(["say four"]);
  });

  test("/fork continues the conversation in a new session, and leaves the other as it is", async () => {
    using server = anthropicServer(textReply("One."), textReply("Two."));
    await using run = await open(server);
    await ask(run.terminal, "first", "One.");
    await send(run.terminal, "/fork");
    await run.terminal.waitFor("This is session main-fork; main stays as it was.");
    await ask(run.terminal, "second", "Two.");
    expect(sessionsOf(run)).toEqual(["main", "main-fork"]);
    const texts = (id: string) => readFileSync(join(run.directory, "sessions", id, "history.json"), "utf8");
    expect(texts("main")).not.toContain("second");
    expect(texts("main-fork")).toContain("first");
  });
});

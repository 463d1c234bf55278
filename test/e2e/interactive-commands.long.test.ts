import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeText } from "../support/agent-files.ts";
import { type AnthropicReply, textReply, toolReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { type InteractiveRun, openInteractive } from "../support/interactive-session.ts";
import { scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import type { TmuxTerminal } from "../support/tmux.ts";

async function send(terminal: TmuxTerminal, text: string): Promise<void> {
  await terminal.type(text);
  await terminal.press("Enter");
}

/** Sends a prompt and waits for its answer and its end. */
async function ask(terminal: TmuxTerminal, text: string, answer: string): Promise<void> {
  await send(terminal, text);
  await terminal.waitFor((screen) => screen.includes(answer) && /\n>\n*$/.test(screen));
}

const modelsOf = ({ directory }: InteractiveRun): readonly string[] => {
  const journal = readFileSync(join(directory, "sessions/main/journal.jsonl"), "utf8");
  return [...journal.matchAll(/"models":\[\{"provider":"(\w+)","name":"([^"]+)"/g)].map(([, provider, name]) =>
    provider === "script" ? "script" : `${provider}/${name}`,
  );
};

describe.skipIf(requireProgram("tmux"))("commands in the conversation", () => {
  test("/help fits 80×24 with its whole overview", async () => {
    await using run = await openInteractive({ replies: [] });
    await send(run.terminal, "/help");
    const screen = await run.terminal.waitFor("/help NAME explains a command");
    expect(screen).toMatch(/^> \/help$/m);
    expect(screen).toMatch(/^Conversation +\w/m);
    for (const name of ["/undo", "/model", "/commit", "/memories", "/quit"]) expect(screen).toContain(name);
  });

  test("/model lets the user choose: the next prompt asks that model, and the journal says so", async () => {
    using scripts = temporaryDirectory();
    using server = anthropicServer(textReply("From the vendor."));
    const other = scriptReference(scripts.path, [{ text: "From the script." }]);
    await using run = await openInteractive({
      replies: [{ text: "At first." }],
      environment: { ...server.environment },
    });
    const { terminal } = run;
    await ask(terminal, "say one", "At first.");
    await send(terminal, "/model");
    await terminal.waitFor(/Which model do you want to use\?/);
    await terminal.type("anthr");
    await terminal.waitFor((screen) => /^● anthropic\/\S+/m.test(screen) && !/^ {2}script/m.test(screen));
    await terminal.press("Enter");
    await terminal.waitFor(/From the next prompt on, the model is anthropic\//);
    await ask(terminal, "say two", "From the vendor.");
    await send(terminal, `/model ${other}`);
    await terminal.waitFor(/the model is\s+script\//);
    await ask(terminal, "say three", "From the script.");
    expect(modelsOf(run)).toStrictEqual(["script", expect.stringMatching(/^anthropic\//), "script"]);
    await send(terminal, "/model");
    await terminal.waitFor(/Which model/);
    await terminal.press("Escape");
    await terminal.waitFor(/The model stays/);
    await send(terminal, "/model nobody/x");
    await terminal.waitFor(/^Unknown model "nobody\/x"/m);
    await send(terminal, "/info");
    await terminal.waitFor(/^Model\s+script\//m);
    const log = readFileSync(join(run.directory, "logs/main.jsonl"), "utf8");
    expect(log).toContain('"tool_name":"/model"');
  });

  test("/rewind lets the user choose a prompt, shows the files, and restores them after a yes", async () => {
    const writing = (content: string): AnthropicReply =>
      toolReply({ id: `toolu_${content}`, name: "write_file", input: { path: "notes.txt", content } });
    using server = anthropicServer(writing("one"), textReply("One."), writing("two"), textReply("Two."));
    await using run = await openInteractive({
      environment: server.environment,
      args: ["--model", "anthropic/claude-test", "--allow", "write_file"],
    });
    const { terminal, directory } = run;
    const notes = join(directory, "notes.txt");
    await ask(terminal, "say one", "One.");
    await ask(terminal, "say two", "Two.");
    await send(terminal, "/rewind");
    await terminal.waitFor(/^● 2 {2}say two +1 file\n {2}1 {2}say one +1 file$/m);
    await terminal.press("Down");
    await terminal.waitFor(/^● 1 {2}say one/m);
    await terminal.press("Enter");
    await terminal.waitFor(/Undo prompt 1 and the 1 prompt after it\?[\s\S]*removes {3}notes\.txt[\s\S]*y undo/);
    expect(readFileSync(notes, "utf8")).toBe("two");
    await terminal.press("y");
    await terminal.waitFor(/continues from before the first prompt/);
    expect(existsSync(notes)).toBe(false);
  });

  test("/commit shows what it commits, and commits after a yes", async () => {
    if (requireProgram("git")) return;
    using folder = temporaryDirectory();
    const work = join(folder.path, "work");
    writeText(join(work, "a.txt"), "a");
    const identity = "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n";
    writeText(join(folder.path, ".gitconfig"), identity);
    const git = (...args: readonly string[]): string =>
      Bun.spawnSync(["git", ...args], {
        cwd: work,
        env: { PATH: process.env["PATH"], HOME: folder.path },
      }).stdout.toString();
    git("init", "--quiet");
    await using run = await openInteractive({ replies: [], home: folder.path, args: ["--workspace", work] });
    const { terminal } = run;
    await send(terminal, "/commit");
    await terminal.waitFor(/\/commit MESSAGE/);
    await send(terminal, "/commit Add $(touch b) it");
    await terminal.waitFor(/Commit these changes in ~\/work\?[\s\S]*\?\? a\.txt[\s\S]*y commit them/);
    await terminal.press("y");
    await terminal.waitFor(/Add \$\(touch b\) it\n +1 file changed/);
    expect(git("log", "--format=%s")).toBe("Add $(touch b) it\n");
    await send(terminal, "/commit again");
    await terminal.waitFor(/There is nothing to commit/);
  });

  test("/copy and /export say where the answer and the session went; /session switch lets the user choose", async () => {
    await using run = await openInteractive({ replies: [{ text: "Hello." }], environment: { SSH_TTY: "/dev/pts/9" } });
    const { terminal, home } = run;
    await ask(terminal, "say hello", "Hello.");
    await send(terminal, "/copy");
    await terminal.waitFor(/clipboard of your terminal \(OSC 52\), if it allows\s+that: 6 characters/);
    await send(terminal, "/export");
    await terminal.waitFor(/Written: \S+main\.md/);
    await send(terminal, "/export main.md");
    await terminal.waitFor(/main\.md already exists/);
    expect(readFileSync(join(home, "main.md"), "utf8")).toContain("> say hello");
    await send(terminal, "/new");
    await terminal.waitFor(/session \d{4}-\d\d-\d\d_1$/m);
    await send(terminal, "/session switch");
    await terminal.waitFor(/^● say hello/m);
    await terminal.press("Enter");
    await terminal.waitFor(/session main \(2 messages so far\)/);
  });
});

import { describe, expect, test } from "bun:test";
import { MINIMAL_AGENT } from "../support/agent-files.ts";
import { openInteractive } from "../support/interactive-session.ts";
import { overloaded, type Reply } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import type { TmuxTerminal } from "../support/tmux.ts";

/** Milliseconds that no test lasts. */
const forever = 600_000;
const usage = { input: 1000, output: 20, thinking: 15 };
const agentWith = (settings: string): Readonly<Record<string, string>> => ({
  "agent.mdx": `---\n${settings}\n---\n${MINIMAL_AGENT}`,
});

async function send(terminal: TmuxTerminal, text: string): Promise<void> {
  await terminal.type(text);
  await terminal.press("Enter");
}

describe.skipIf(requireProgram("tmux"))("the interactive session", () => {
  test("shows the usage of the last prompt until the next one is sent", async () => {
    await using run = await openInteractive({
      replies: [
        { text: "One.", usage },
        { text: "never", delay: forever },
      ],
    });
    await send(run.terminal, "go");
    await run.terminal.waitFor(/^1 turn, 1,000 tokens in, 20 out \(15 thinking\), 1,020 total, \$0, [\d.]+ s\n>$/m);
    await send(run.terminal, "again");
    expect(await run.terminal.waitFor(/^\S thinking/m)).not.toContain("1,000 tokens");
  });

  test("shows a retry, and not the failure that it fixes", async () => {
    await using run = await openInteractive({
      files: agentWith("retries: [0]"),
      replies: [overloaded, { text: "Yes." }],
    });
    await send(run.terminal, "go");
    const screen = await run.terminal.waitFor("Yes.");
    expect(screen).toMatch(/^overloaded; retrying at once \(1 of 1\)$/m);
    expect(screen).not.toContain("The model failed");
  });

  test("answers /info with model, session, tokens, cost and how full the window is", async () => {
    await using run = await openInteractive({
      files: agentWith("context: { window: 20000 }"),
      replies: [{ text: "One.", usage }],
      columns: 100,
      rows: 30,
    });
    await send(run.terminal, "/info");
    await run.terminal.waitFor(/^Spent {6}no tokens$/m);
    await send(run.terminal, "go");
    await run.terminal.waitFor("One.");
    await send(run.terminal, "/info");
    const screen = await run.terminal.waitFor(/^Spent {6}1,000 tokens in, 20 out \(15 thinking\), 1,020 total, \$0$/m);
    expect(screen).toMatch(/^Model {6}script\//m);
    expect(screen).toMatch(/^Session {4}main, 2 messages, 1 turn$/m);
    expect(screen).toMatch(/^Today {6}1,000 tokens in, 20 out \(15 thinking\), 1,020 total, \$0$/m);
    expect(screen).toMatch(/^Context {4}[\d,]+ tokens, \d+ % of 20,000 \(counted by the provider\)$/m);
  });

  test("answers /info while a prompt runs", async () => {
    await using run = await openInteractive({ replies: [{ text: "never", delay: forever }] });
    await send(run.terminal, "go");
    await run.terminal.waitFor("thinking");
    await send(run.terminal, "/info");
    expect(await run.terminal.waitFor(/^Today {6}no tokens$/m)).toContain("thinking");
  });

  test("says at /compact that there is nothing to compact", async () => {
    await using run = await openInteractive({ replies: [] });
    await send(run.terminal, "/compact");
    await run.terminal.waitFor("There is nothing to compact yet.");
  });

  const long: Reply = { text: "word ".repeat(400), usage };
  const talked = { files: agentWith("context: { window: 2000 }\nretries: 0"), rows: 50 } as const;

  async function talk(terminal: TmuxTerminal): Promise<void> {
    for (const number of [1, 2]) {
      await send(terminal, `question ${number}`);
      await terminal.waitFor(new RegExp(`question ${number}[\\s\\S]*word\\n[\\s\\S]*1 turn, [^\\n]*\\n>`));
    }
  }

  test("replaces older messages at /compact, and shows the tokens before and after", async () => {
    await using run = await openInteractive({ ...talked, replies: [long, long, { text: "We talked.", usage }] });
    await talk(run.terminal);
    await send(run.terminal, "/compact");
    await run.terminal.waitFor(
      /^Older messages are replaced by a summary: a request has [\d,]+ instead of [\d,]+\s+tokens/m,
    );
  });

  test("stops a compaction at Ctrl+C and continues", async () => {
    const replies = [long, long, { text: "never", delay: forever }, { text: "Ready again." }];
    await using run = await openInteractive({ ...talked, replies });
    await talk(run.terminal);
    await send(run.terminal, "/compact");
    await run.terminal.waitFor(/^\S compacting/m);
    await run.terminal.press("C-c");
    await run.terminal.waitFor(/^Stopped$/m);
    await send(run.terminal, "/info");
    await run.terminal.waitFor(/^Context/m);
  });

  test("shows why a compaction failed", async () => {
    const replies = [long, long, { error: { message: "no summary today", status: 400 } }];
    await using run = await openInteractive({ ...talked, replies });
    await talk(run.terminal);
    await send(run.terminal, "/compact");
    await run.terminal.waitFor("no summary today");
  });
});

import { describe, expect, test } from "bun:test";
import { chmodSync, readFileSync } from "node:fs";
import { agentDirectory } from "../support/agent-directory.ts";
import { writeText } from "../support/agent-files.ts";
import { agentText, toolWithCode } from "../support/agent-text.ts";
import { openInteractive } from "../support/interactive-session.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const probe = (id: string) => ({ calls: [{ id, name: "probe", arguments: { city: "Vienna" } }] });

const answering = (word: string, prose = ""): string =>
  agentText(`${prose}\n\n${toolWithCode(`const execute = () => "the ${word} answer";`)}`);

/** A tool that is always asked about. */
const asking = (word: string): string =>
  agentText(
    toolWithCode(`const execute = () => "the ${word} answer";`, 'name="probe" description="Probes" permission="ask"'),
  );

const askingModule = (word: string): string => `export default {
  describe: () => ({ name: "asking", description: "Asks" }),
  initialize: async () => {},
  tools: () => [
    {
      name: "probe",
      description: "Probes",
      parameters: { type: "object" },
      permission: "ask",
      execute: async () => "the ${word} answer",
    },
  ],
  systemPrompt: () => "",
  start: async () => {},
  stop: () => {},
};
`;

describe.skipIf(requireProgram("tmux"))("an edit during a conversation is picked up before the next prompt", () => {
  test("prose and skills need no new trust", async () => {
    await using run = await openInteractive({
      files: { "agent.mdx": answering("old") },
      replies: [{ text: "first done" }, { text: "second done" }],
    });
    const { terminal, directory } = run;
    await terminal.type("one");
    await terminal.press("Enter");
    await terminal.waitForHistory("first done");
    writeText(`${directory}/agent.mdx`, answering("old", "Speak softly."));
    writeText(`${directory}/skills/rain/SKILL.md`, "---\nname: rain\ndescription: About rain\n---\nIt falls.\n");
    await terminal.type("two");
    await terminal.press("Enter");
    await terminal.waitForHistory("second done");
    expect(await terminal.history()).toContain("was reloaded");
    await terminal.type("/skills");
    await terminal.press("Enter");
    await terminal.waitForHistory("/skill:rain  About rain");
  });

  test("an edit of code asks for trust again, with one key, and shows what changed", async () => {
    await using run = await openInteractive({
      files: { "agent.mdx": answering("old") },
      replies: [probe("a"), { text: "first done" }, probe("b"), { text: "second done" }],
    });
    const { terminal, directory } = run;
    await terminal.type("one");
    await terminal.press("Enter");
    await terminal.waitForHistory("first done");
    expect(await terminal.history()).toContain("the old answer");
    writeText(`${directory}/agent.mdx`, answering("new"));
    await terminal.type("two");
    await terminal.press("Enter");
    await terminal.waitFor("What this agent can run has changed");
    await terminal.waitFor('tool "probe"');
    await terminal.waitFor("y yes, until you leave");
    await terminal.press("y");
    await terminal.waitForHistory("second done");
    expect(await terminal.history()).toContain("the new answer");
  });

  test("where the user does not trust the new code, the old one runs on, and is not asked about twice", async () => {
    await using run = await openInteractive({
      files: { "agent.mdx": answering("old") },
      replies: [probe("a"), { text: "first done" }, probe("b"), { text: "second done" }],
    });
    const { terminal, directory } = run;
    writeText(`${directory}/agent.mdx`, answering("new"));
    await terminal.type("one");
    await terminal.press("Enter");
    await terminal.waitFor("n no, keep the previous version");
    await terminal.press("n");
    await terminal.waitForHistory("first done");
    await terminal.type("two");
    await terminal.press("Enter");
    await terminal.waitForHistory("second done");
    const history = await terminal.history();
    expect(history.match(/the old answer/g)?.length).toBeGreaterThanOrEqual(2);
    expect(history).not.toContain("the new answer");
  });

  test("a warning while the files are looked at is a line of the conversation", async () => {
    await using run = await openInteractive({
      files: { "agent.mdx": answering("old") },
      replies: [{ text: "first done" }],
    });
    const { terminal, home } = run;
    writeText(`${home}/.local/state/mdx-ai/trust.json`, "{");
    chmodSync(`${home}/.local/state/mdx-ai/trust.json`, 0o600);
    await terminal.type("one");
    await terminal.press("Enter");
    await terminal.waitForHistory("first done");
    const history = await terminal.history();
    expect(history).toContain("Warning: the list of trusted directories is broken");
    expect(history).not.toContain("mdx-ai: warning:");
  });

  test("a broken edit keeps the last good version and shows its mistakes at their positions, until it is fixed", async () => {
    await using run = await openInteractive({
      files: { "agent.mdx": answering("old") },
      replies: [probe("a"), { text: "first done" }, { text: "second done" }],
    });
    const { terminal, directory } = run;
    writeText(`${directory}/agent.mdx`, answering("old", "5 </Tool>"));
    await terminal.type("one");
    await terminal.press("Enter");
    await terminal.waitForHistory("first done");
    const history = await terminal.history();
    expect(history).toMatch(/agent\.mdx:7:\d+ error element-/);
    expect(history).toContain("The agent stays unchanged until this is fixed");
    expect(history).toContain("the old answer");
    writeText(`${directory}/agent.mdx`, answering("old", "Mended."));
    await terminal.type("two");
    await terminal.press("Enter");
    await terminal.waitForHistory("second done");
    expect(await terminal.history()).toContain("was reloaded");
  });

  test("a directory that is trusted with its edits is not asked about", async () => {
    using agent = agentDirectory({ "agent.mdx": answering("old") });
    using home = temporaryDirectory();
    await runCommandLine(["trust", agent.path, "--edits"], { home: home.path });
    await using run = await openInteractive({
      directory: agent.path,
      environment: { HOME: home.path },
      replies: [probe("a"), { text: "first done" }],
    });
    const { terminal, directory } = run;
    writeText(`${directory}/agent.mdx`, answering("new"));
    await terminal.type("one");
    await terminal.press("Enter");
    await terminal.waitForHistory("first done");
    expect(await terminal.history()).toContain("the new answer");
  });

  test.each([
    ["a tool of agent.mdx", "agent.mdx", asking],
    ["a tool of a module", "modules/asking.ts", askingModule],
  ])(
    "an approval for always of %s is void when its code is edited, which the question says",
    async (_what, file, text) => {
      using agent = agentDirectory({ [file]: text("old") });
      using home = temporaryDirectory();
      await runCommandLine(["trust", agent.path, "--edits"], { home: home.path });
      await using run = await openInteractive({
        directory: agent.path,
        environment: { HOME: home.path },
        rows: 40,
        replies: [
          probe("a"),
          { text: "first done" },
          probe("b"),
          { text: "second done" },
          probe("c"),
          { text: "third done" },
        ],
      });
      const { terminal } = run;
      const say = async (word: string): Promise<void> => {
        await terminal.type(word);
        await terminal.press("Enter");
      };
      await say("one");
      await terminal.waitFor("y once · s this session · a always");
      await terminal.type("a");
      await terminal.waitForHistory("first done");
      await say("two");
      await terminal.waitForHistory("second done");
      writeText(`${agent.path}/${file}`, text("new"));
      await say("three");
      await terminal.waitFor(/code has changed since it was\s+approved/);
      await terminal.press("Escape");
      await terminal.waitForHistory("third done");
      const history = await terminal.history();
      expect(history.match(/the old answer/g)).toHaveLength(2);
      expect(history).not.toContain("the new answer");
    },
  );

  test("a heartbeat wakes by what heartbeat.md says by then", async () => {
    using agent = agentDirectory({ "heartbeat.md": "@every: 9h\n\n## On Wake\n\n- Sleep on\n" });
    using home = temporaryDirectory();
    await runCommandLine(["trust", agent.path, "--edits"], { home: home.path });
    await using run = await openInteractive({
      directory: agent.path,
      environment: { HOME: home.path },
      replies: [{ text: "first done" }, { text: "awake by now" }, { text: "again" }],
    });
    const { terminal } = run;
    writeText(`${agent.path}/heartbeat.md`, "@every: 2s\n\n## On Wake\n\n- Look at the weather\n");
    await terminal.type("one");
    await terminal.press("Enter");
    await terminal.waitForHistory("first done");
    await terminal.waitForHistory("awake by now");
    const journal = readFileSync(`${agent.path}/sessions/main/journal.jsonl`, "utf8");
    expect(journal).toContain("Look at the weather");
    expect(journal).not.toContain("Sleep on");
  });
});

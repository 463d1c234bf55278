import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "@mdx-ai/runtime";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import { themeOf } from "../output/theme.ts";
import { isCommand } from "./command-texts.ts";
import { mustWait, SlashCommands } from "./slash-commands.ts";
import { ToolOutput } from "./view/tool-output.ts";

const skills = [
  { name: "greet", description: "Says\n hi", path: "skills/greet/SKILL.md" },
  { name: "part", description: "Says bye", path: "skills/part/SKILL.md" },
];

const COMMAND_NAMES = [
  ...["/queue", "/resume", "/undo", "/rewind", "/compact", "/clear", "/copy", "/export", "/session", "/new", "/rename"],
  ...[
    "/model",
    "/info",
    "/mcp",
    "/permissions",
    "/skill ",
    "/skills",
    "/skill:NAME",
    "/mode",
    "/theme",
    "/remember",
    "/memories",
    "/forget",
    "/memory",
  ],
  ...["/commit", "/help", "/quit", "/exit"],
];

const directory = agentDirectory();
let agent: Agent;

beforeAll(async () => {
  agent = await openScriptAgent(directory.path, [{ text: "Hi." }]);
  for await (const _ of agent.session().prompt("Hello"));
});

afterAll(async () => {
  await agent.close();
  directory[Symbol.dispose]();
});

/** What a command did to its conversation, in order, and what it answered. */
async function done(text: string, withSkills = true, columns = 80): Promise<readonly string[]> {
  const log: string[] = [];
  const folder = directory.path;
  const commands = new SlashCommands({
    options: {
      ...{ agent, dataDir: folder, folder, currentDirectory: folder, skills: withSkills ? skills : [] },
      models: {
        list: async () => [],
        open: async (reference) => {
          log.push(`open ${reference}`);
          return agent.model;
        },
      },
      permissions: { directory: {}, user: undefined, sandbox: undefined },
      environment: {},
      redact: (whole) => whole,
    },
    dialogue: {
      ...{ session: "main", model: agent.model, chosenModel: undefined, queue: [], drop: () => undefined },
      enqueue: (prompt) => void log.push(`enqueue ${prompt}`),
      resume: () => void log.push("resume"),
      busyWith: (activity, work) => {
        log.push(activity);
        return work(new AbortController().signal);
      },
      chooseModel: () => {},
    },
    choose: async () => undefined,
    ask: async () => ({ answer: "no" as const }),
    confirm: async () => false,
    columns: () => columns,
    send: () => {},
    enter: async () => void log.push("enter"),
    toggleVi: () => "vi",
    retype: () => {},
    leave: () => void log.push("leave"),
    theme: themeOf({}),
    grants: () => [],
    output: new ToolOutput(),
    show: (answer) => void log.push(answer),
    fail: (message) => void log.push(`failed: ${message}`),
  });
  await commands.run(text);
  return log;
}

describe("slash commands", () => {
  test.each([
    ["/cost", "/info"],
    ["/login", "mdx-ai models DIR"],
    ["/config", "settings.yaml"],
  ])("%s, as other programs have it, leads to what is here", async (command, place) => {
    const [answer] = await done(command);
    expect(answer).toStartWith(`There is no command ${command}; `);
    expect(answer).toContain(place);
  });

  test("/init asks the model for AGENTS.md, with the user's wishes", async () => {
    const [asked] = await done("/init in German");
    expect(asked).toMatch(/^enqueue Write AGENTS\.md [\s\S]*\n\nin German$/);
  });

  test.each([
    ["/help", true],
    ["/", true],
    ["/quit ", true],
    ["/usr/bin is full", false],
    ["//comment", false],
    [" /help", false],
    ["help", false],
    ["/ü", false],
    ["", false],
    ["/skill:greet Ann\n  and Bob ", false],
    ["/skill:gret", true],
    ["/greet", true],
    ["greet", false],
    ["/mcp:web:search tea", false],
    ["/mcp web", true],
  ])("%j is a command, and no prompt that uses a skill or a server: %p", (text, expected) => {
    expect(isCommand(text, skills)).toBe(expected);
  });

  test.each([
    ["/help", true],
    ["/skills", true],
    ["/skill disable greet", true],
    ["/quit\n", true],
    ["/info", true],
    ["/mcp", true],
    ["/permissions", true],
    ["/mode plan", true],
    ["/theme light", true],
    ["/compact", false],
    ["/clear", false],
    ["/undo", false],
    ["/rewind list", true],
    ["/rewind", false],
    ["/rewind 2", false],
    ["/model", true],
    ["/export", true],
    ["/copy", true],
    ["/commit Fix it", false],
    ["/queue go on", true],
    ["/remember tea", true],
    ["/memories", true],
    ["/forget x", true],
    ["/memory tea", true],
    ["/resume", false],
    ["/new", false],
    ["/session", true],
    ["/session list", true],
    ["/session  info ", true],
    ["/session info other", true],
    ["/session new", false],
    ["/session switch", false],
    ["/session switch list", false],
    ["/session delete list", false],
    ["/skill:greet", false],
    ["/unknown", false],
    ["hello", false],
  ])("%j works while a prompt runs: %p", (text, expected) => {
    expect(!mustWait(text)).toBe(expected);
  });

  test("/help names every command and the keys", async () => {
    const [overview = ""] = await done("/help");
    expect(COMMAND_NAMES.filter((name) => !overview.includes(name))).toStrictEqual([]);
    const [keys = ""] = await done("/help keys");
    for (const key of ["Enter", "Esc", "Ctrl+C", "Ctrl+J", "Ctrl+L", "Ctrl+D"]) expect(keys).toContain(key);
  });

  test("/help fits a terminal of 80×24 in two columns, and a narrow one in one", async () => {
    const wide = (await done("/help")).join("\n").split("\n");
    expect(wide.length).toBeLessThanOrEqual(19);
    expect(Math.max(...wide.map((line) => Bun.stringWidth(line)))).toBeLessThan(80);
    expect(wide[0]).toMatch(/^Conversation {20,}\S/);
    const narrow = (await done("/help", true, 40)).join("\n").split("\n");
    expect(narrow.slice(0, 2)).toStrictEqual(["Conversation", "  /queue        send after this prompt"]);
    expect(narrow).toContain("  /quit         leave (also /exit)");
  });

  test.each([
    ["/help rewind", "/rewind N\n  undoes prompt N and all after it"],
    ["/help undo", "/undo\n  undoes the last prompt and restores the files that it changed; force also restores"],
    ["/help /skill:NAME", "/skill:NAME TEXT\n"],
    ["/help new", "/new\n  begins a new session"],
    ["/help xyzzy", "There is no command xyzzy; /help shows all."],
  ])("%j explains one command", async (text, answer) => {
    expect(await done(text)).toStrictEqual([expect.stringContaining(answer)]);
  });

  test("/skills lists names and descriptions, one a line", async () => {
    expect(await done("/skills")).toEqual(["/skill:greet  Says hi\n/skill:part  Says bye"]);
  });

  test("/skills says where skills live when there are none", async () => {
    expect(await done("/skills", false)).toEqual([expect.stringContaining("skills/NAME/SKILL.md")]);
  });

  test.each([
    ["/info", "Session    main, 2 messages, 1 turn"],
    ["/permissions", "A later rule overrides an earlier one"],
    ["/tool list", "bash"],
    ["/vim", "vi"],
    ["/resume", "There is nothing to resume."],
  ])("%s answers", async (text, answer) => {
    expect(await done(text)).toEqual([expect.stringContaining(answer)]);
  });

  test("/compact is work that can be stopped", async () => {
    expect(await done("/compact")).toEqual(["compacting", "There is nothing to compact yet."]);
  });

  test.each(["/quit", "/exit", "/quit now"])("%s leaves", async (text) => {
    expect(await done(text)).toEqual(["leave"]);
  });

  test.each([
    ["/queue  then tidy up\nall of it ", "enqueue then tidy up\nall of it"],
    ["/queue", "The queue is empty"],
    ["/session switch work", 'There is no session "work"'],
    ["/new", "enter"],
    ["/model ollama/llama3", "open ollama/llama3"],
    ["/rename Fix the login", "This session is called: Fix the login"],
    ["/mode plan", "Mode plan"],
    ["/theme neon", 'There is no theme "neon"'],
    ["/commit", "Describe the commit"],
    ["/undo now", "/undo undoes"],
    ["/rewind 9", "This session has no prompt 9"],
  ])("%j takes the words behind it", async (text, answer) => {
    expect((await done(text))[0]).toStartWith(answer);
  });

  test("/export writes to the file that the words name", async () => {
    const path = join(directory.path, "my talk.md");
    expect(await done("/export my talk.md")).toEqual([`Written: ${path}`]);
    expect(readFileSync(path, "utf8")).toContain("Hi.");
  });

  test("/clear archives and then says so", async () => {
    expect(await done("/clear")).toEqual([expect.stringContaining("archived")]);
    expect(await agent.session("main").messages()).toStrictEqual([]);
  });

  test.each([
    ["/hepl", "/help"],
    ["/skils", "/skills"],
    ["/skill:gret", "/skill:greet"],
    ["/constructor", "/help shows all"],
    ["/xyzzy", "/help shows all"],
    ["/", "/help"],
  ])("%s is answered with a hint to %s", async (text, hint) => {
    expect(await done(text)).toEqual([expect.stringContaining(hint)]);
  });
});

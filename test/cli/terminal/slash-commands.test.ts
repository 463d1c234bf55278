import { describe, expect, test } from "bun:test";
import {
  isSkillCommand,
  isSlashCommand,
  runSlashCommand,
  worksWhileRunning,
} from "../../../packages/cli/src/terminal/slash-commands.ts";

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

const unused = async (): Promise<never> => {
  throw new Error("nothing of memory was asked for");
};
const unusedMemory = { remember: unused, memories: unused, forget: unused, addNote: unused };

/** What a command did, in order, and then what it answered. */
async function done(text: string, withSkills = true, columns = 80): Promise<readonly string[]> {
  const log: string[] = [];
  const answer = await runSlashCommand(text, {
    skills: withSkills ? skills : [],
    memory: unusedMemory,
    searchMemory: unused,
    info: async () => "info",
    permissions: () => "permissions",
    mcp: async (words) => `mcp ${words}`,
    mode: (words) => `mode ${words}`,
    theme: (words) => `theme ${words}`,
    compact: async () => "compact",
    clear: async () => void log.push("clear"),
    undo: async (words) => `undo ${words}`,
    rewind: async (words) => `rewind ${words}`,
    resume: async () => "resume",
    queue: (words) => `queue ${words}`,
    tool: (words) => `tool ${words}`,
    skill: async (words) => `skill ${words}`,
    session: async (words) => `session ${words}`,
    toggleVi: () => "",
    rename: (title) => `rename ${title}`,
    model: async (words) => `model ${words}`,
    exportTo: async (words) => `export ${words}`,
    copy: async () => "copy",
    commit: async (message) => `commit ${message}`,
    columns: () => columns,
    leave: () => void log.push("leave"),
  });
  return answer === "" ? log : [...log, answer];
}

describe("slash commands", () => {
  test.each([
    ["/help", true],
    ["/", true],
    ["/skill:greet Ann\nand Bob", true],
    ["/quit ", true],
    ["/usr/bin is full", false],
    ["//comment", false],
    [" /help", false],
    ["help", false],
    ["/ü", false],
    ["", false],
  ])("%j is a command: %p", (text, expected) => {
    expect(isSlashCommand(text)).toBe(expected);
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
    expect(worksWhileRunning(text)).toBe(expected);
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
    ["/help rewind", "/rewind N\n  takes back prompt N and all after it"],
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

  test("/clear archives and then says so", async () => {
    expect(await done("/clear")).toEqual(["clear", expect.stringContaining("archived")]);
  });

  test("/info and /compact do what they say", async () => {
    expect([await done("/info"), await done("/compact")]).toEqual([["info"], ["compact"]]);
    expect(await done("/permissions")).toEqual(["permissions"]);
  });

  test.each(["/quit", "/exit", "/quit now"])("%s leaves", async (text) => {
    expect(await done(text)).toEqual(["leave"]);
  });

  test.each([
    ["/queue  then tidy up\nall of it ", "queue then tidy up\nall of it"],
    ["/queue", "queue "],
    ["/session switch work", "session switch work"],
    ["/new", "session new"],
    ["/model ollama/llama3", "model ollama/llama3"],
    ["/export my talk.md", "export my talk.md"],
    ['/commit Fix "it" && $(ls)', 'commit Fix "it" && $(ls)'],
    ["/resume", "resume"],
  ])("%j takes the words behind it", async (text, answer) => {
    expect(await done(text)).toEqual([answer]);
  });

  test.each([
    ["/skill:greet Ann\n  and Bob ", true],
    ["/skill:greet", true],
    ["/skill:gret", false],
    ["/greet", false],
    ["greet", false],
  ])("%j is said to the agent, as the use of a skill: %p", (text, expected) => {
    expect(isSkillCommand(text, skills)).toBe(expected);
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

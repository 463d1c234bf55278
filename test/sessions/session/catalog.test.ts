import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import type { JournalLine } from "@mdx-ai/sessions";
import {
  deleteSession,
  JournalError,
  listSessions,
  openStoredSession,
  readSession,
  renameSession,
  SessionExistsError,
  SessionIdError,
  SessionInUseError,
  UnknownSessionError,
} from "@mdx-ai/sessions";
import { writeText } from "../../support/agent-files.ts";
import { assistantMessage, userMessage } from "../../support/model-request.ts";
import { beginOf } from "../../support/prompt-steps.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const usage = { input: 10, output: 5, cacheRead: 100, cacheWrite: 0, thinking: 0, total: 115 };
const line = (prompt: number, step: string, result: unknown): JournalLine => ({ v: 1, prompt, step, result });
const answer = (text: string, cost?: number) =>
  assistantMessage([{ type: "text", text }], { usage, ...(cost !== undefined && { cost }) });
const talk = (question: string): readonly JournalLine[] => [
  line(1, "begin", beginOf(question)),
  line(1, "model:1", answer("Hello", 0.25)),
  line(1, "end", { outcome: "done", at: 2 }),
];

function write(agentDir: string, id: string, lines: readonly JournalLine[], seconds = 1000): string {
  const path = join(agentDir, "sessions", id, "journal.jsonl");
  writeText(path, lines.map((one) => `${JSON.stringify(one)}\n`).join(""));
  utimesSync(path, seconds, seconds);
  return path;
}

const hold = (agentDir: string, id: string) =>
  openStoredSession({ directory: join(agentDir, "sessions"), id, clock: { now: () => 0 }, onWarning: () => {} });

const ids = (agentDir: string): readonly string[] => listSessions(agentDir).sessions.map(({ id }) => id);

/** Every file below a folder with its time and text. */
const everything = (folder: string): readonly unknown[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const stats = statSync(join(folder, name));
      return [name, stats.mtimeMs, stats.isFile() ? readFileSync(join(folder, name), "utf8") : ""];
    });

describe("a list of sessions", () => {
  test("shows the figures of each, the last used first", () => {
    using agent = temporaryDirectory();
    write(agent.path, "older", talk("  What\n is   this? "));
    write(
      agent.path,
      "newer",
      [...talk("Hi"), line(2, "begin", beginOf("And?")), line(2, "model:1", answer("so"))],
      2000,
    );
    const cost = { usage, usd: 0.25, unpriced: 0, calls: 1, latency: 0 };
    const both = { input: 20, output: 10, cacheRead: 200, cacheWrite: 0, thinking: 0, total: 230 };
    expect(listSessions(agent.path)).toStrictEqual({
      sessions: [
        {
          state: "readable",
          id: "newer",
          title: "Hi",
          prompts: 2,
          turns: 2,
          tokens: 230,
          cost: { ...cost, usage: both, unpriced: 1, calls: 2 },
          created: 0,
          lastUsed: 2_000_000,
          isUnfinished: true,
        },
        {
          state: "readable",
          id: "older",
          title: "What is this?",
          prompts: 1,
          turns: 1,
          tokens: 115,
          cost,
          created: 0,
          lastUsed: 1_000_000,
          isUnfinished: false,
        },
      ],
      skipped: [],
    });
  });

  test("is empty where there are no sessions, and has those that nothing was said in", () => {
    using agent = temporaryDirectory();
    expect(listSessions(agent.path)).toStrictEqual({ sessions: [], skipped: [] });
    mkdirSync(join(agent.path, "sessions/empty"), { recursive: true });
    const [empty] = listSessions(agent.path).sessions;
    expect(empty).toMatchObject({ id: "empty", title: "", prompts: 0, turns: 0, tokens: 0 });
    for (const time of ["created", "lastUsed"]) expect(empty).not.toHaveProperty(time);
  });

  test("has a title of what the user typed, without what was attached", () => {
    using agent = temporaryDirectory();
    write(agent.path, "main", talk('fix @a.ts\n\n<attached_file path="a.ts">\nx\n</attached_file>'));
    expect(listSessions(agent.path).sessions).toMatchObject([{ title: "fix @a.ts" }]);
  });

  test("cuts a long title between characters", () => {
    using agent = temporaryDirectory();
    write(agent.path, "long", talk("😀".repeat(100_000)));
    expect(listSessions(agent.path).sessions).toMatchObject([{ title: `${"😀".repeat(79)}…` }]);
  });

  test.each([
    ["garbage", "garbage\n"],
    ["a line of no version", '{"prompt":1,"step":"begin","result":1}\n'],
    ["bytes that are no text", "\u0000\u0001\n"],
  ])("counts %s in a journal as a damaged line, and shows the rest", (_name, text) => {
    using agent = temporaryDirectory();
    const path = write(agent.path, "bad", talk("Hi"));
    appendFileSync(path, text);
    const before = readFileSync(path);
    expect(listSessions(agent.path).sessions).toMatchObject([{ state: "readable", title: "Hi", damagedLines: 1 }]);
    expect(readFileSync(path)).toEqual(before);
  });

  test("names a session with a line of a newer version as damaged, and one whose journal is gone, and shows the others", () => {
    using agent = temporaryDirectory();
    write(agent.path, "good", talk("Hi"));
    appendFileSync(write(agent.path, "newer", talk("Hi")), '{"v":99,"prompt":1,"step":"begin","result":1}\n');
    writeText(join(agent.path, "sessions/gone/id"), "gone\n");
    writeText(join(agent.path, "sessions/gone/history.json"), '[\n  {"role":"user"}\n]\n');
    expect(listSessions(agent.path).sessions).toMatchObject([
      { state: "readable", id: "good" },
      { state: "damaged", id: "gone", damage: expect.stringContaining("journal.jsonl is missing") },
      { state: "damaged", id: "newer", damage: expect.stringContaining("journal.jsonl:4 was written by a newer") },
    ]);
    expect(() => readSession(agent.path, "newer")).toThrow(JournalError);
  });

  test("has damaged a folder in the journal's place, a link in its place, and a name that is no id", () => {
    using agent = temporaryDirectory();
    mkdirSync(join(agent.path, "sessions/a/journal.jsonl"), { recursive: true });
    mkdirSync(join(agent.path, "sessions/b"));
    symlinkSync("/dev/zero", join(agent.path, "sessions/b/journal.jsonl"));
    mkdirSync(join(agent.path, "sessions/c d"));
    expect(listSessions(agent.path).sessions).toMatchObject([
      { id: "a", state: "damaged", damage: expect.stringContaining("cannot read") },
      { id: "b", state: "damaged", damage: expect.stringContaining("is a symbolic link") },
      { id: "c d", state: "damaged", damage: expect.stringContaining("bad session id") },
    ]);
  });

  test("skips linked folders with a note, and files and hidden folders without one", () => {
    using agent = temporaryDirectory();
    using elsewhere = temporaryDirectory();
    write(elsewhere.path, "main", talk("Hi"));
    writeText(join(agent.path, "sessions/notes.txt"), "mine");
    mkdirSync(join(agent.path, "sessions/.hidden"));
    symlinkSync(join(elsewhere.path, "sessions/main"), join(agent.path, "sessions/linked"));
    expect(listSessions(agent.path)).toStrictEqual({
      sessions: [],
      skipped: [`${join(agent.path, "sessions/linked")} is a symbolic link, which is not followed`],
    });
    for (const act of [readSession, deleteSession]) expect(() => act(agent.path, "linked", 0)).toThrow(JournalError);
    expect(existsSync(join(elsewhere.path, "sessions/main/journal.jsonl"))).toBe(true);
  });

  test("is refused where all sessions are elsewhere", () => {
    using agent = temporaryDirectory();
    using elsewhere = temporaryDirectory();
    write(elsewhere.path, "main", talk("Hi"));
    symlinkSync(join(elsewhere.path, "sessions"), join(agent.path, "sessions"));
    expect(() => listSessions(agent.path)).toThrow(JournalError);
    expect(() => deleteSession(agent.path, "main", 0)).toThrow(JournalError);
    expect(ids(elsewhere.path)).toStrictEqual(["main"]);
  });
});

describe("reading a session", () => {
  test("gives the messages of a prompt without an end, too", () => {
    using agent = temporaryDirectory();
    write(agent.path, "main", [...talk("Hi"), line(2, "begin", beginOf("And?"))]);
    const { summary, messages } = readSession(agent.path, "main");
    expect(messages).toStrictEqual([userMessage("Hi"), answer("Hello", 0.25), userMessage("And?")]);
    expect(summary.isUnfinished).toBe(true);
  });

  test("changes nothing but the summary and takes no lock, also while the session is in use and its last line is unfinished", () => {
    using agent = temporaryDirectory();
    const path = write(agent.path, "main", talk("Hi"));
    const session = hold(agent.path, "main");
    appendFileSync(path, '{"v":1,"prompt":2,"st');
    const before = everything(agent.path);
    expect(readSession(agent.path, "main").messages).toHaveLength(2);
    expect(everything(agent.path)).toStrictEqual(before);
    expect(listSessions(agent.path).sessions).toMatchObject([{ state: "readable", title: "Hi", isUnfinished: false }]);
    rmSync(join(agent.path, "sessions/main/summary.json"));
    const isFolder = (entry: unknown): boolean => [entry].flat().at(-1) === "";
    expect(everything(agent.path).filter((entry) => !isFolder(entry))).toStrictEqual(
      before.filter((entry) => !isFolder(entry)),
    );
    session.close();
  });

  test.each([["nobody"], ["file"]])("refuses %s, which is no session", (id) => {
    using agent = temporaryDirectory();
    writeText(join(agent.path, "sessions/file"), "");
    for (const act of [readSession, deleteSession]) expect(() => act(agent.path, id, 0)).toThrow(UnknownSessionError);
  });

  test.each([["../sessions"], [".."], ["a/b"], [""], ["/etc"]])("refuses the id %j", (id) => {
    using agent = temporaryDirectory();
    write(agent.path, "main", talk("Hi"));
    for (const act of [readSession, deleteSession]) expect(() => act(agent.path, id, 0)).toThrow(SessionIdError);
    expect(() => renameSession(agent.path, { from: "main", to: id, now: 0 })).toThrow(SessionIdError);
    expect(ids(agent.path)).toStrictEqual(["main"]);
  });
});

describe("renaming a session", () => {
  test("moves all of it and leaves it free", () => {
    using agent = temporaryDirectory();
    const text = readFileSync(write(agent.path, "old", talk("Hi")), "utf8");
    writeText(join(agent.path, "sessions/old/archive/2026/journal.jsonl"), "archived");
    renameSession(agent.path, { from: "old", to: "größer", now: 0 });
    expect(ids(agent.path)).toStrictEqual(["größer"]);
    const folder = join(agent.path, "sessions/größer");
    expect(readdirSync(folder).sort()).toStrictEqual(["archive", "journal.jsonl", "summary.json"]);
    expect(readFileSync(join(folder, "journal.jsonl"), "utf8")).toBe(text);
    const session = hold(agent.path, "größer");
    expect(session.messages).toHaveLength(2);
    session.close();
  });

  test.each([["other"], ["empty"], ["file"], ["old"]])("does not touch %s, which is there already", (to) => {
    using agent = temporaryDirectory();
    write(agent.path, "old", talk("Hi"));
    write(agent.path, "other", talk("Ho"));
    mkdirSync(join(agent.path, "sessions/empty"));
    writeText(join(agent.path, "sessions/file"), "mine");
    const texts = (): readonly unknown[] =>
      everything(agent.path).map((entry) => [entry].flat().filter((_one, at) => at !== 1));
    const before = texts();
    expect(() => renameSession(agent.path, { from: "old", to, now: 0 })).toThrow(SessionExistsError);
    expect(texts()).toStrictEqual(before);
  });
});

describe("deleting a session", () => {
  test("removes its history and its archive, damaged or not, and no other", () => {
    using agent = temporaryDirectory();
    appendFileSync(write(agent.path, "main", talk("Hi")), "garbage\n");
    writeText(join(agent.path, "sessions/main/history.json"), "[]");
    writeText(join(agent.path, "sessions/main/archive/2026/history.json"), "[]");
    write(agent.path, "other", talk("Ho"));
    deleteSession(agent.path, "main", 0);
    expect(readdirSync(join(agent.path, "sessions"))).toStrictEqual(["other"]);
  });

  test("removes its lines from the daily logs, also those under an earlier name, and no other line", () => {
    using agent = temporaryDirectory();
    const log = join(agent.path, "logs/2026-11-21.log");
    const lines = [
      "2026-11-21T09:00:00.000Z the agent starts",
      "2026-11-21T09:00:01.000Z main#1 user: a secret",
      "2026-11-21T09:00:02.000Z main-2#1 user: not main#1 at all",
      "2026-11-21T09:00:03.000Z main#12 assistant: secret",
    ];
    write(agent.path, "main", talk("Hi"));
    writeText(log, lines.map((line) => `${line}\n`).join(""));
    renameSession(agent.path, { from: "main", to: "other", now: 0 });
    expect(readFileSync(log, "utf8")).toContain("09:00:01.000Z other#1 user: a secret\n");
    deleteSession(agent.path, "other", 0);
    expect(readFileSync(log, "utf8")).toBe(`${lines[0]}\n${lines[2]}\n`);
  });

  test("does not follow links in it", () => {
    using agent = temporaryDirectory();
    using elsewhere = temporaryDirectory();
    writeText(join(elsewhere.path, "precious"), "mine");
    write(agent.path, "main", talk("Hi"));
    symlinkSync(elsewhere.path, join(agent.path, "sessions/main/archive"));
    deleteSession(agent.path, "main", 0);
    expect(readFileSync(join(elsewhere.path, "precious"), "utf8")).toBe("mine");
  });
});

test("a session in use is neither renamed nor deleted; one that a dead process left is", () => {
  using agent = temporaryDirectory();
  write(agent.path, "main", talk("Hi"));
  const session = hold(agent.path, "main");
  expect(() => renameSession(agent.path, { from: "main", to: "other", now: 0 })).toThrow(SessionInUseError);
  expect(() => deleteSession(agent.path, "main", 0)).toThrow(SessionInUseError);
  expect(ids(agent.path)).toStrictEqual(["main"]);
  session.close();
  writeText(join(agent.path, "sessions/main/lock"), JSON.stringify({ pid: 999_999_999, since: "long ago" }));
  renameSession(agent.path, { from: "main", to: "other", now: 0 });
  deleteSession(agent.path, "other", 0);
  expect(ids(agent.path)).toStrictEqual([]);
  rmSync(join(agent.path, "sessions"), { recursive: true });
});

import { expect, test } from "bun:test";
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  JournalError,
  listSessions,
  openStoredSession,
  readSession,
  readTrace,
  SessionIdError,
  type Trace,
  verifySessions,
} from "@mdx-ai/sessions";
import { writeFiles } from "../../support/agent-files.ts";
import { assistantMessage } from "../../support/model-request.ts";
import { beginLine, beginOf } from "../../support/prompt-steps.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const line = (prompt: number): string =>
  JSON.stringify({ v: 1, prompt, step: "begin", result: beginOf(`grüß ${prompt}`) });

test("a trace passes over a line that is being written, names damaged ones, and changes nothing", async () => {
  using folder = temporaryDirectory();
  const journal = `${line(1)}\nnonsense\n${line(2)}\r\n\n${line(3).slice(0, -4)}`;
  writeFiles(folder.path, { "sessions/main/journal.jsonl": journal, "sessions/main/lock": "held" });
  const trace = await readTrace(folder.path, "main");
  expect(trace?.prompts.map(({ input }) => input)).toStrictEqual(["grüß 1", "grüß 2"]);
  expect(trace?.unreadableLines).toStrictEqual([2, 4]);
  expect(readFileSync(join(folder.path, "sessions/main/journal.jsonl"), "utf8")).toBe(journal);
  expect(readdirSync(join(folder.path, "sessions/main")).sort()).toStrictEqual(["journal.jsonl", "lock"]);
});

test("older journals are read before the one that is written, the tenth after the ninth, each file once", async () => {
  using folder = temporaryDirectory();
  const main = "sessions/main";
  writeFiles(folder.path, {
    [`${main}/journal-0010.jsonl`]: `${line(3)}\n`,
    [`${main}/journal-0009.jsonl`]: `${line(2)}\n`,
    [`${main}/journal-10000.jsonl`]: `${line(4)}\n`,
    [`${main}/journal-1.jsonl`]: `${line(7)}\n`,
    [`${main}/journal-0002.jsonl.bak`]: `${line(8)}\n`,
    [`${main}/journal.jsonl`]: `${line(5)}\nodd\n`,
  });
  linkSync(join(folder.path, main, "journal.jsonl"), join(folder.path, main, "journal-10001.jsonl"));
  const trace = await readTrace(folder.path, "main");
  expect(trace?.prompts.map(({ input }) => input)).toStrictEqual(["grüß 2", "grüß 3", "grüß 4", "grüß 5"]);
  expect(trace?.damage).toStrictEqual([{ file: "journal.jsonl", line: 2 }]);
});

test.each(["sessions", "sessions/main", "sessions/main/journal.jsonl", "sessions/main/journal-0001.jsonl"])(
  "a symbolic link at %s is not followed",
  async (place) => {
    using folder = temporaryDirectory();
    const [agent, elsewhere] = [join(folder.path, "agent"), join(folder.path, "elsewhere")];
    writeFiles(agent, { "sessions/main/journal.jsonl": `${line(1)}\n`, "sessions/main/journal-0001.jsonl": "" });
    renameSync(join(agent, place), elsewhere);
    symlinkSync(elsewhere, join(agent, place));
    await expect(readTrace(agent, "main")).rejects.toThrow("is a symbolic link, which is not followed");
    await expect(readTrace(agent, "main")).rejects.toThrow(JournalError);
  },
);

test("there is no trace of a session that is not there, and an empty one has no prompts", async () => {
  using folder = temporaryDirectory();
  expect(await readTrace(folder.path, "main")).toBeUndefined();
  expect(readdirSync(folder.path)).toStrictEqual([]);
  writeFiles(folder.path, { "sessions/main/journal.jsonl": "" });
  expect((await readTrace(folder.path, "main"))?.prompts).toStrictEqual([]);
});

test("what cannot be read is a JournalError, and an id that is no name a SessionIdError", async () => {
  using folder = temporaryDirectory();
  mkdirSync(join(folder.path, "sessions/main/journal.jsonl"), { recursive: true });
  await expect(readTrace(folder.path, "main")).rejects.toThrow(JournalError);
  await expect(readTrace(folder.path, "../main")).rejects.toThrow(SessionIdError);
});

const step = (prompt: number, name: string, result: unknown): string =>
  JSON.stringify({ v: 1, prompt, step: name, result });

const said = (text: string) => assistantMessage([{ type: "text", text }]);

test("of a line that follows half a line a trace, the session and its check say the same", async () => {
  using folder = temporaryDirectory();
  const ended = (prompt: number) => step(prompt, "end", { outcome: "done", at: 1 });
  const half = step(1, "end", { outcome: "done" }).slice(0, 30);
  writeFiles(folder.path, {
    "sessions/main/journal.jsonl": [
      ...[line(1), step(1, "model:1", said("one")), `${half}${ended(1)}`],
      ...[line(2), `${half}${step(2, "model:1", said("two"))}`, ended(2), ""],
    ].join("\n"),
  });
  const trace = await readTrace(folder.path, "main");
  expect(trace?.prompts).toMatchObject([
    { outcome: "done", turns: [{ steps: [{ text: "one" }] }] },
    { outcome: "done", turns: [{ steps: [{ text: "two" }] }] },
  ]);
  expect(trace?.unreadableLines).toStrictEqual([3, 5]);
  const { summary, messages } = readSession(folder.path, "main");
  expect(summary).toMatchObject({ prompts: 2, turns: 2, isUnfinished: false, damagedLines: 2 });
  expect(messages).toHaveLength(4);
  const { sessions } = await verifySessions(folder.path, { id: "main", now: 0, isCheck: true });
  expect(sessions).toMatchObject([{ prompts: 2, isUnfinished: false }]);
  expect(sessions[0]?.found).toContain("lines 3 and 5 of journal.jsonl cannot be read");
});

test("what was said before a /clear that a crash cut short is no part of a trace, as of the session", async () => {
  using folder = temporaryDirectory();
  const head = {
    lastPrompt: 0,
    head: 0,
    messages: 0,
    tail: [],
    own: [],
    history: 0,
    promptIds: [],
    archive: "2026-01-01",
  };
  const cost = (await emptyTrace()).cost;
  writeFiles(folder.path, {
    "sessions/main/journal-0001.jsonl": `${line(1)}\n${line(2)}\n`,
    "sessions/main/journal.jsonl": `${step(0, "segment", { ...head, cost })}\n${line(1)}\n`,
  });
  expect((await readTrace(folder.path, "main"))?.prompts).toHaveLength(1);
  expect(readSession(folder.path, "main").summary.prompts).toBe(1);
});

async function emptyTrace(): Promise<Trace> {
  using folder = temporaryDirectory();
  writeFiles(folder.path, { "sessions/main/journal.jsonl": "" });
  const trace = await readTrace(folder.path, "main");
  if (trace === undefined) throw new Error("there is no trace");
  return trace;
}

test("a lost journal and one of a newer version are errors of a trace, as of the session", async () => {
  using folder = temporaryDirectory();
  writeFiles(folder.path, {
    "sessions/lost/id": "lost\n",
    "sessions/lost/history.json": '[\n  {"role":"user","content":"x","timestamp":"2026-01-01T00:00:00.000Z"}\n]\n',
    "sessions/newer/journal.jsonl": `${line(1)}\n{"v":99}\n`,
  });
  for (const id of ["lost", "newer"]) {
    const error = await readTrace(folder.path, id).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(JournalError);
    expect(() => readSession(folder.path, id)).toThrow(String(error).replace(/^JournalError: /, ""));
  }
});

test("the last prompt without an end has a holder while a process holds the session, and none after that", async () => {
  using folder = temporaryDirectory();
  const open = JSON.stringify(beginLine(2, "go"));
  writeFiles(folder.path, { "sessions/main/journal.jsonl": `${line(1)}\n${open}\n` });
  const session = openStoredSession({
    directory: join(folder.path, "sessions"),
    id: "main",
    clock: Date,
    onWarning() {},
  });
  const held = await readTrace(folder.path, "main");
  const [listed] = listSessions(folder.path).sessions;
  session.close();
  expect(held?.prompts.map(({ outcome }) => outcome)).toStrictEqual(["unfinished", "unfinished"]);
  expect(held?.prompts[1]?.holder).toStartWith(`process ${process.pid} since `);
  expect(listed).toHaveProperty("holder", held?.prompts[1]?.holder);
  expect(held?.prompts[0]).not.toHaveProperty("holder");
  expect((await readTrace(folder.path, "main"))?.prompts[1]).not.toHaveProperty("holder");
});

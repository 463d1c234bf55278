import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { listSessions, readSession, rewindSession, type SessionSummary } from "@mdx-ai/sessions";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { writeText } from "../../../../test/support/agent-files.ts";
import { assistantMessage } from "../../../../test/support/model-request.ts";
import { beginOf } from "../../../../test/support/prompt-steps.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { keepSummary } from "./kept-summary.ts";

const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 15 };
const line = (prompt: number, step: string, result: unknown): string =>
  `${JSON.stringify({ v: 1, prompt, step, result })}\n`;
const started = (prompt: number): string =>
  line(prompt, "begin", beginOf(`Question ${prompt}`)) +
  line(prompt, "model:1", assistantMessage([{ type: "text", text: "Answer" }], { usage, cost: 0.1 }));
const talk = (prompt: number): string => started(prompt) + line(prompt, "end", { outcome: "done", at: 2 });

const FOLDER = "sessions/main";
const journalOf = (agentDir: string): string => join(agentDir, FOLDER, "journal.jsonl");
const summaryOf = (agentDir: string): string => join(agentDir, FOLDER, "summary.json");

/** Writes session main with so many prompts, and lists it once. */
function write(agentDir: string, prompts = 1): void {
  writeText(journalOf(agentDir), Array.from({ length: prompts }, (_, index) => talk(index + 1)).join(""));
  listSessions(agentDir);
}

/** A text with which a journal is long enough to get a summary from its owner. */
const long = (word: string): string => `${word} `.repeat(1500);

const listed = (agentDir: string): SessionSummary | undefined => {
  const [session] = listSessions(agentDir).sessions;
  return session?.state === "readable" ? session : undefined;
};

/** Replaces a byte of the journal's first line, of which nothing else can tell. */
function changeUnseen(agentDir: string): void {
  const { atime, mtime } = statSync(journalOf(agentDir));
  writeFileSync(journalOf(agentDir), readFileSync(journalOf(agentDir), "utf8").replace("Question 1", "question 1"));
  utimesSync(journalOf(agentDir), atime, mtime);
}

describe("the summary of a session", () => {
  test("is kept by a list, its owner's alone, and a list whose journal is as it was then reads no journal", () => {
    using agent = temporaryDirectory();
    write(agent.path);
    utimesSync(journalOf(agent.path), 1000, 1000);
    expect(listed(agent.path)).toMatchObject({ title: "Question 1", lastUsed: 1_000_000 });
    expect(statSync(summaryOf(agent.path)).mode & 0o777).toBe(0o600);
    changeUnseen(agent.path);
    expect(listed(agent.path)?.title).toBe("Question 1");
    expect(readSession(agent.path, "main").summary.title).toBe("question 1");
  });

  test.each<[name: string, change: (path: string) => void]>([
    ["grows", (path) => appendFileSync(path, talk(2))],
    ["is written anew", (path) => writeFileSync(path, talk(1) + talk(2))],
    [
      "is replaced by a longer one with the same lines before",
      (path) => {
        const text = readFileSync(path, "utf8") + talk(2);
        rmSync(path);
        writeFileSync(path, text);
      },
    ],
    ["was touched", (path) => utimesSync(path, 5000, 5000)],
    ["has a new damaged line", (path) => appendFileSync(path, "garbage\n")],
    ["goes back to an earlier prompt", (path) => appendFileSync(path, line(0, "head:1", { prompt: 0, at: 0 }))],
    ["has an unfinished prompt", (path) => appendFileSync(path, started(2))],
    ["has a torn line", (path) => appendFileSync(path, '{"v":1,')],
    ["has an earlier prompt twice", (path) => appendFileSync(path, talk(1))],
    ["is cut and has grown again", (path) => writeFileSync(path, `${talk(1).slice(0, 100)}${talk(7).repeat(3)}`)],
  ])("is right again where the journal %s", (_name, change) => {
    using agent = temporaryDirectory();
    write(agent.path);
    change(journalOf(agent.path));
    const { summary } = readSession(agent.path, "main");
    expect(listed(agent.path)).toStrictEqual(summary);
    expect(listed(agent.path)).toStrictEqual(summary);
  });

  test("takes what was added from the new lines alone, also after an unfinished prompt has been listed", () => {
    using agent = temporaryDirectory();
    write(agent.path, 2);
    changeUnseen(agent.path);
    appendFileSync(journalOf(agent.path), started(3));
    expect(listed(agent.path)).toMatchObject({ title: "Question 1", prompts: 3, turns: 3, isUnfinished: true });
    appendFileSync(journalOf(agent.path), line(3, "end", { outcome: "done", at: 2 }));
    const { cost, ...summary } = listed(agent.path) ?? {};
    expect(summary).toMatchObject({ title: "Question 1", prompts: 3, turns: 3, tokens: 45, isUnfinished: false });
    expect(cost).toMatchObject({ calls: 3 });
    expect(cost?.usd).toBeCloseTo(0.3, 10);
  });

  test("is kept by the process that runs a prompt, which reads no more than that prompt", () => {
    using agent = temporaryDirectory();
    write(agent.path, 2);
    changeUnseen(agent.path);
    appendFileSync(journalOf(agent.path), talk(3));
    keepSummary(join(agent.path, FOLDER));
    expect(JSON.parse(readFileSync(summaryOf(agent.path), "utf8")).figures).toMatchObject({
      title: "Question 1",
      prompts: 3,
    });
    // A long journal without a summary is left to the next list.
    rmSync(summaryOf(agent.path));
    appendFileSync(journalOf(agent.path), line(4, "begin", beginOf("long ".repeat(100_000))));
    keepSummary(join(agent.path, FOLDER));
    expect(existsSync(summaryOf(agent.path))).toBe(false);
  });

  test("is right after each prompt of an agent, a rewind and /clear, without a list", async () => {
    using directory = agentDirectory();
    const kept = (): unknown => JSON.parse(readFileSync(join(directory.path, FOLDER, "summary.json"), "utf8")).figures;
    const expectRight = (): void => {
      const { state, id, tokens, lastUsed, ...figures } = readSession(directory.path, "main").summary;
      expect(kept()).toStrictEqual(figures);
    };
    const replies = ["one", "two", "three"].map((word) => ({ text: long(word), usage: { input: 3, output: 2 } }));
    const agent = await openScriptAgent(directory.path, replies);
    for (const text of ["a", "b"]) {
      await Array.fromAsync(agent.session().prompt(text));
      expectRight();
    }
    await agent.session().clear();
    await Array.fromAsync(agent.session().prompt("c"));
    expectRight();
    expect(kept()).toMatchObject({ title: "c", turns: 1 });
    await agent.close();
    await rewindSession(directory.path, { id: "main", to: 0, now: 0, onWarning: () => {} });
    const again = await openScriptAgent(directory.path, [{ text: "four" }]);
    await Array.fromAsync(again.session().prompt("d"));
    await again.close();
    expectRight();
    expect(kept()).toMatchObject({ title: "d", turns: 1, prompts: 2 });
  });
});

test("a journal of a few lines gets no summary before a list asks for one", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "one" }]);
  await Array.fromAsync(agent.session().prompt("a"));
  await agent.close();
  const path = join(directory.path, FOLDER, "summary.json");
  expect(existsSync(path)).toBe(false);
  expect(listSessions(directory.path)).toMatchObject({ sessions: [{ id: "main", title: "a", turns: 1 }] });
  expect(existsSync(path)).toBe(true);
});

describe("a summary that is wrong", () => {
  const good = (agentDir: string): Record<string, unknown> => JSON.parse(readFileSync(summaryOf(agentDir), "utf8"));
  const withFigures = (change: object) => (path: string) => {
    const kept = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...kept, figures: { ...kept.figures, ...change } }));
  };

  test.each<[name: string, write: (path: string) => void]>([
    ["garbage", (path) => writeFileSync(path, "\0\u0001")],
    ["no object", (path) => writeFileSync(path, "[1]")],
    ["empty", (path) => writeFileSync(path, "")],
    ["huge", (path) => writeFileSync(path, `${readFileSync(path, "utf8")}${" ".repeat(100_000)}`)],
    ["without a title", withFigures({ title: 7 })],
    ["with turns below zero", withFigures({ turns: -1 })],
    ["with a cost of texts", withFigures({ cost: { usage: { input: "1" }, usd: "1" } })],
    ["with a time that is none", withFigures({ created: "now" })],
    [
      "a folder",
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
    [
      "a link to another file",
      (path) => {
        rmSync(path);
        symlinkSync("/dev/zero", path);
      },
    ],
    [
      "a pipe",
      (path) => {
        rmSync(path);
        Bun.spawnSync(["mkfifo", path]);
      },
    ],
  ])("(%s) is not used, and the list is right", (_name, strike) => {
    using agent = temporaryDirectory();
    write(agent.path);
    const { summary } = readSession(agent.path, "main");
    strike(summaryOf(agent.path));
    expect(listed(agent.path)).toStrictEqual(summary);
  });

  test("is written anew, and a link is replaced, not followed", () => {
    using agent = temporaryDirectory();
    write(agent.path);
    const before = good(agent.path);
    const precious = join(agent.path, "precious");
    writeFileSync(precious, "mine");
    rmSync(summaryOf(agent.path));
    symlinkSync(precious, summaryOf(agent.path));
    listSessions(agent.path);
    expect(readFileSync(precious, "utf8")).toBe("mine");
    expect(lstatSync(summaryOf(agent.path)).isFile()).toBe(true);
    expect(good(agent.path)).toStrictEqual(before);
  });

  test("harms the list alone: what it says of a session is not believed elsewhere", () => {
    using agent = temporaryDirectory();
    write(agent.path);
    withFigures({ title: "\u001b[2Jowned", prompts: 99 })(summaryOf(agent.path));
    expect(listed(agent.path)).toMatchObject({ title: "\u001b[2Jowned", prompts: 99 });
    expect(readSession(agent.path, "main").summary).toMatchObject({ title: "Question 1", prompts: 1 });
  });

  test("is no hindrance where it cannot be written", () => {
    using agent = temporaryDirectory();
    writeText(journalOf(agent.path), talk(1));
    chmodSync(join(agent.path, FOLDER), 0o500);
    try {
      expect(listed(agent.path)).toMatchObject({ title: "Question 1" });
    } finally {
      chmodSync(join(agent.path, FOLDER), 0o700);
    }
  });
});

test("a session whose journal is emptied beside a history is damaged, regardless of its summary", () => {
  using agent = temporaryDirectory();
  write(agent.path);
  writeText(join(agent.path, FOLDER, "history.json"), '[{"role":"user"}]');
  writeFileSync(journalOf(agent.path), "");
  for (const _ of [1, 2]) expect(listSessions(agent.path).sessions).toMatchObject([{ state: "damaged" }]);
});

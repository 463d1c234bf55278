import { expect, test } from "bun:test";
import { existsSync, linkSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Compaction } from "@mdx-ai/loop";
import { isCompactionOutcome } from "@mdx-ai/loop";
import { isAssistantMessage, type Message } from "@mdx-ai/models";
import type { OpenedSession } from "@mdx-ai/sessions";
import { listSessions, openStoredSession, readSession, rewindSession } from "@mdx-ai/sessions";
import { assistantMessage, userMessage } from "../../../../test/support/model-request.ts";
import { begun, stepsOf } from "../../../../test/support/prompt-steps.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { sentMessages } from "../../../loop/src/context/sent-messages.ts";

/** Journals are put aside from 8 MiB on. */
const LARGE = "x".repeat(3 * 1024 * 1024);

const open = (agentDir: string, warnings: string[] = []): OpenedSession =>
  openStoredSession({
    directory: join(agentDir, "sessions"),
    id: "main",
    clock: { now: () => 0 },
    onWarning: (message) => warnings.push(message),
  });

const answer = (text: string) => assistantMessage([{ type: "text", text }]);

async function say(
  session: OpenedSession,
  question: string,
  reply = answer(`to ${question.slice(0, 20)}`),
): Promise<void> {
  await session.runPrompt(async (journal) => {
    const step = stepsOf(journal);
    const { messages } = journal.conversation;
    messages.push(await begun(step, question));
    messages.push(await step("model:1", async () => reply, { accepts: isAssistantMessage }));
    await step("end", async () => "done", { accepts: (value) => value === "done" });
  });
}

/** A summary that stands for all messages but the last two. */
async function summarise(session: OpenedSession): Promise<void> {
  const { conversation } = session;
  const made = conversation.first + conversation.messages.length;
  const compaction: Compaction = {
    summary: "They talked.",
    kept: [],
    message: userMessage("They talked."),
    replaced: made - 2,
    made,
    before: 9,
    after: 1,
    measured: "estimate",
    answer: answer("They talked."),
    timestamp: 0,
  };
  await session.ownStep(`compact:messages:${made}`, async () => compaction, { accepts: isCompactionOutcome });
  conversation.compaction = compaction;
}

const texts = (messages: readonly Message[]): string[] =>
  messages.map(({ content }) =>
    content.map((block) => (block.type === "text" ? block.text.slice(0, 24) : "")).join(""),
  );

const folderOf = (agentDir: string): string => join(agentDir, "sessions/main");
const historyOf = (agentDir: string): string => readFileSync(join(folderOf(agentDir), "history.json"), "utf8");
const journals = (agentDir: string): string[] =>
  readdirSync(folderOf(agentDir))
    .filter((name) => name.startsWith("journal"))
    .toSorted();

test("a journal that has grown long is put aside under a number, and the session continues as if there were one", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  for (const number of [1, 2, 3, 4]) await say(session, `${number} ${LARGE}`);
  session.close();
  const before = historyOf(directory.path);
  const again = open(directory.path);
  expect(journals(directory.path)).toStrictEqual(["journal-0001.jsonl", "journal.jsonl"]);
  expect(texts(again.messages)).toHaveLength(8);
  expect(historyOf(directory.path)).toBe(before);
  await say(again, "5");
  expect(again.lastPrompt).toBe(5);
  again.close();
  const { messages, summary } = readSession(directory.path, "main");
  expect(messages).toHaveLength(10);
  expect(summary).toMatchObject({ prompts: 5, turns: 5, isUnfinished: false });
  expect(listSessions(directory.path).sessions).toHaveLength(1);
  expect(JSON.parse(historyOf(directory.path))).toHaveLength(10);
});

test("what a summary replaces is neither held nor read any more, but stays whole on disk", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  for (const number of [1, 2, 3]) await say(session, `${number} ${LARGE}`);
  await say(session, "4");
  await summarise(session);
  const sent = JSON.stringify(sentMessages(session.conversation, {}));
  await say(session, "5");
  expect(session.conversation.messages).toHaveLength(4);
  session.close();
  const again = open(directory.path);
  expect(JSON.stringify(sentMessages(again.conversation, {})).slice(0, sent.length - 1)).toBe(sent.slice(0, -1));
  again.close();
  expect(statSync(join(folderOf(directory.path), "journal.jsonl")).size).toBeLessThan(20_000);
  const third = open(directory.path);
  expect(third.conversation.messages).toHaveLength(4);
  expect(third.conversation.first).toBe(6);
  expect(texts(third.messages)).toHaveLength(10);
  await say(third, "6");
  expect(third.conversation.messages).toHaveLength(6);
  third.close();
  expect(readSession(directory.path, "main").messages).toHaveLength(12);
  expect(JSON.parse(historyOf(directory.path))).toHaveLength(12);
});

test("history.json of a long session is made anew where it is wrong, whether old entries are or new ones", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  for (const number of [1, 2, 3]) await say(session, `${number} ${LARGE}`);
  await summarise(session);
  session.close();
  open(directory.path).close();
  const right = open(directory.path);
  await say(right, "4");
  right.close();
  const text = historyOf(directory.path);
  for (const wrong of ["", "[]\n", text.slice(0, -30), text.replace('"content":"4"', '"content":"5"')]) {
    await Bun.write(join(folderOf(directory.path), "history.json"), wrong);
    open(directory.path).close();
    expect(historyOf(directory.path) === text).toBe(true);
  }
});

test("a crash in the middle of putting a journal aside loses nothing", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  await say(session, "1");
  session.close();
  const folder = folderOf(directory.path);
  linkSync(join(folder, "journal.jsonl"), join(folder, "journal-0001.jsonl"));
  expect(readSession(directory.path, "main").messages).toHaveLength(2);
  const again = open(directory.path);
  expect(again.messages).toHaveLength(2);
  expect(existsSync(join(folder, "journal-0001.jsonl"))).toBe(false);
  again.close();
});

test("going back reaches into journals that were put aside", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  for (const number of [1, 2, 3]) await say(session, `${number} ${LARGE}`);
  await summarise(session);
  session.close();
  open(directory.path).close();
  const opening = { id: "main", now: 0, onWarning: () => {} };
  await rewindSession(directory.path, { ...opening, to: 1 });
  const back = open(directory.path);
  expect(texts(back.messages)).toStrictEqual([`1 ${"x".repeat(22)}`, `to 1 ${"x".repeat(18)}`]);
  await say(back, "another way");
  back.close();
  expect(JSON.parse(historyOf(directory.path))).toHaveLength(4);
  await rewindSession(directory.path, { ...opening, to: 3 });
  expect(readSession(directory.path, "main").messages).toHaveLength(6);
});

test("/clear archives all journals of a session", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  for (const number of [1, 2, 3]) await say(session, `${number} ${LARGE}`);
  session.close();
  const again = open(directory.path);
  again.clear();
  expect(again.messages).toStrictEqual([]);
  again.close();
  expect(journals(directory.path)).toStrictEqual(["journal.jsonl"]);
  const [archive = ""] = readdirSync(join(folderOf(directory.path), "archive"));
  expect(readdirSync(join(folderOf(directory.path), "archive", archive)).toSorted()).toStrictEqual([
    "history.json",
    "journal-0001.jsonl",
    "journal.jsonl",
  ]);
});

test("with a window of messages only that is held", async () => {
  using directory = temporaryDirectory();
  const openWindowed = () =>
    openStoredSession({
      directory: directory.path,
      id: "main",
      policy: { messages: 4 },
      clock: { now: () => 0 },
      onWarning() {},
    });
  const session = openWindowed();
  for (let number = 1; number <= 12; number++) await say(session, `${number}`);
  expect(session.conversation.messages.length).toBeLessThanOrEqual(10);
  const sent = texts(sentMessages(session.conversation, { messages: 4 }));
  expect(sent).toStrictEqual(["11", "to 11", "12", "to 12"]);
  session.close();
  const again = openWindowed();
  expect(texts(sentMessages(again.conversation, { messages: 4 }))).toStrictEqual(sent);
  expect(again.messages).toHaveLength(24);
  again.close();
});

test("a journal whose first line is damaged is read with all those before it", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  for (const number of [1, 2, 3]) await say(session, `${number} ${LARGE}`);
  await summarise(session);
  session.close();
  const again = open(directory.path);
  await say(again, "4");
  again.close();
  const live = join(folderOf(directory.path), "journal.jsonl");
  const lines = readFileSync(live, "utf8").split("\n");
  await Bun.write(live, lines.with(0, '{"v":1,"prompt":0,"step":"segment","result":{}}').join("\n"));
  expect(readSession(directory.path, "main").messages).toHaveLength(8);
  const mended = open(directory.path);
  expect(mended.messages).toHaveLength(8);
  expect(mended.conversation.compaction?.replaced).toBe(4);
  mended.close();
});

import { expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAssistantMessage, isUserMessage, type Message } from "@mdx-ai/models";
import { forkSession } from "@mdx-ai/runtime";
import { isCompactionOutcome } from "../../../packages/runtime/src/context/compaction-guard.ts";
import type { ContextPolicy } from "../../../packages/runtime/src/context/context-policy.ts";
import { sentMessages } from "../../../packages/runtime/src/context/sent-messages.ts";
import { openStoredSession, type StoredSession } from "../../../packages/runtime/src/session/stored-session.ts";
import type { Compaction } from "../../../packages/runtime/src/types/compaction.ts";
import { assistantMessage, userMessage } from "../../support/model-request.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** Puts a journal aside at each opening and before each prompt. */
const AT_ONCE = { longFrom: 1 };
/** Heads are told with their messages up to a quarter of this. */
const SOON = { longFrom: 4000 };

interface Opening {
  readonly policy?: ContextPolicy;
  readonly longFrom?: number;
  readonly onWarning?: (message: string) => void;
}

const open = (agentDir: string, { policy = {}, onWarning = () => {}, ...rest }: Opening = {}): StoredSession =>
  openStoredSession({ directory: join(agentDir, "sessions"), id: "main", policy, now: () => 0, onWarning, ...rest });

async function say(session: StoredSession, question: string): Promise<void> {
  await session.runPrompt(async ({ step, conversation: { messages } }) => {
    messages.push(await step("user", async () => userMessage(question), { accepts: isUserMessage }));
    const reply = assistantMessage([{ type: "text", text: "yes" }]);
    messages.push(await step("model:1", async () => reply, { accepts: isAssistantMessage }));
    await step("end", async () => "done", { accepts: (value) => value === "done" });
  });
}

const folderOf = (agentDir: string): string => join(agentDir, "sessions/main");
const historyOf = (agentDir: string): string => readFileSync(join(folderOf(agentDir), "history.json"), "utf8");
const journalsOf = (agentDir: string): number =>
  readdirSync(folderOf(agentDir)).filter((name) => name.startsWith("journal")).length;

const questions = (messages: readonly Message[]): string =>
  messages
    .flatMap(({ role, content }) => (role === "user" ? content : []))
    .map((block) => "text" in block && block.text)
    .join("");

test("history.json is empty after going back to the beginning, where its journal tells what older ones came to", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  for (const _ of Array(8).keys()) {
    await say(session, "a");
    await session.rewind(0);
  }
  await say(session, "a");
  session.close();
  const rolled = open(directory.path, SOON);
  expect(journalsOf(directory.path)).toBe(2);
  await rolled.rewind(0);
  expect(historyOf(directory.path)).toBe("[]\n");
  await say(rolled, "b");
  rolled.close();
  open(directory.path).close();
  expect(JSON.parse(historyOf(directory.path))).toMatchObject([{ content: "b" }, { content: "yes" }]);
});

test("history.json shows the branch that is gone back to, also where another one is as long", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  for (const text of ["a", "b"]) await say(session, text);
  session.close();
  const rolled = open(directory.path, SOON);
  rolled.close();
  const once = open(directory.path, AT_ONCE);
  once.close();
  const back = open(directory.path);
  await back.rewind(1);
  await say(back, "c");
  await back.rewind(2);
  expect(historyOf(directory.path)).toContain('"b"');
  await back.rewind(3);
  expect(historyOf(directory.path)).toContain('"c"');
  back.close();
});

test("an input that was taken back stays so, though the queue began in a journal that was put aside", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  await say(session, "a");
  await session.dequeue(await session.enqueue("not this"));
  session.close();
  const rolled = open(directory.path, AT_ONCE);
  rolled.close();
  const again = open(directory.path);
  expect(await again.enqueue("nor this")).toBe(2);
  again.close();
  // All journals are read to know what is before the beginning.
  const live = join(folderOf(directory.path), "journal.jsonl");
  const lines = readFileSync(live, "utf8").split("\n");
  writeFileSync(live, lines.with(0, '{"v":1,"prompt":0,"step":"segment","result":{}}').join("\n"));
  const whole = open(directory.path);
  expect(whole.queued).toStrictEqual([{ number: 2, text: "nor this" }]);
  await whole.dequeue(2);
  whole.close();
  const last = open(directory.path);
  expect(last.queued).toStrictEqual([]);
  last.close();
});

test("a window of messages begins at the same one before and after a restart, and the oldest journals are not needed for it", async () => {
  using directory = temporaryDirectory();
  const policy = { messages: 4 };
  const session = open(directory.path, { policy });
  for (let number = 1; number <= 9; number++) await say(session, `${number}`);
  const sent = JSON.stringify(sentMessages(session.conversation, policy));
  session.close();
  const rolled = open(directory.path, { policy, longFrom: 8000 });
  rolled.close();
  const live = open(directory.path, { policy });
  expect(JSON.stringify(sentMessages(live.conversation, policy))).toBe(sent);
  live.close();
});

/** Stands for so many messages. */
const summaryOf = (replaced: number, made: number): Compaction => ({
  summary: "They talked.",
  kept: [],
  message: userMessage("They talked."),
  replaced,
  made,
  before: 9,
  after: 1,
  measured: "estimate",
  answer: assistantMessage([]),
  timestamp: 0,
});

test("a window within what a summary left begins at the same message before and after it is forgotten", async () => {
  using directory = temporaryDirectory();
  const policy = { messages: 4 };
  const session = open(directory.path, { policy });
  for (const text of ["a", "b", "c"]) await say(session, text);
  const { conversation } = session;
  const compaction = summaryOf(5, 6);
  await session.ownStep("compact:messages:6", async () => compaction, { accepts: isCompactionOutcome });
  conversation.compaction = compaction;
  await session.runPrompt(async ({ step, conversation: { messages } }) => {
    messages.push(await step("user", async () => userMessage("d"), { accepts: isUserMessage }));
    const before = JSON.stringify(sentMessages(conversation, policy));
    await step("end", async () => "done", { accepts: (value) => value === "done" });
    expect(before).toContain('"d"');
  });
  const sent = JSON.stringify(sentMessages(conversation, policy));
  session.close();
  const again = open(directory.path, { policy });
  expect(JSON.stringify(sentMessages(again.conversation, policy))).toBe(sent);
  const whole = { first: 0, messages: [...again.messages], compaction };
  expect(JSON.stringify(sentMessages(whole, policy))).toBe(sent);
  again.close();
});

test("the transcript has the messages of the running prompt, also where the oldest are not held any more", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path, { policy: { messages: 2 } });
  for (const text of ["a", "b", "c", "d"]) await say(session, text);
  expect(session.conversation.first).toBeGreaterThan(0);
  await session.runPrompt(async ({ step, conversation: { messages } }) => {
    messages.push(await step("user", async () => userMessage("e"), { accepts: isUserMessage }));
    expect(questions(session.messages)).toBe("abcde");
    await step("end", async () => "done", { accepts: (value) => value === "done" });
  });
  session.close();
});

test("a journal whose head alone is long is put aside when it has grown, not at each prompt", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path, SOON);
  await session.enqueue("x".repeat(5000));
  for (let number = 1; number <= 5; number++) await say(session, `${number}`);
  expect(journalsOf(directory.path)).toBe(2);
  session.close();
});

test("an input that is put into the queue while the journal is put aside is kept, and nobody is told otherwise", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path, AT_ONCE);
  await say(session, "a");
  for (let number = 1; number <= 5; number++) {
    const kept = session.enqueue(`kept ${number}`);
    await say(session, `${number}`);
    expect(await kept).toBe(number);
  }
  session.close();
  const again = open(directory.path);
  expect(again.queued).toHaveLength(5);
  again.close();
});

test("a session that was cleared can be forked", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  await say(session, "a");
  session.clear();
  await say(session, "b");
  session.close();
  await forkSession(directory.path, { from: "main", to: "other", now: 0, onWarning() {} });
  rmSync(join(folderOf(directory.path), "archive"), { recursive: true });
  const again = open(directory.path);
  expect(questions(again.messages)).toBe("b");
  again.close();
});

import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAssistantMessage, type Message } from "@mdx-ai/models";
import { forkSession } from "@mdx-ai/sessions";
import { assistantMessage } from "../../../../test/support/model-request.ts";
import { begun, stepsOf } from "../../../../test/support/prompt-steps.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { type ContextPolicy, sentMessages } from "../../../loop/src/context/sent-messages.ts";
import { openStoredSession, type StoredSession } from "./stored-session.ts";

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
  openStoredSession({
    directory: join(agentDir, "sessions"),
    id: "main",
    policy,
    clock: { now: () => 0 },
    onWarning,
    ...rest,
  });

async function say(session: StoredSession, question: string): Promise<void> {
  await session.runPrompt(async (journal) => {
    const step = stepsOf(journal);
    const { messages } = journal.conversation;
    messages.push(await begun(step, question));
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

/** A session that has said little, and that so often anew that its journal is put aside, and the next one tells it again. */
async function tellOften(agentDir: string, ...texts: readonly string[]): Promise<StoredSession> {
  const session = open(agentDir);
  for (const _ of Array(8).keys()) {
    await say(session, "x");
    await session.past.rewind(0);
  }
  for (const text of texts) await say(session, text);
  session.close();
  const rolled = open(agentDir, SOON);
  expect(journalsOf(agentDir)).toBe(2);
  return rolled;
}

test("history.json is empty after going back to the beginning, if its journal sums up older ones", async () => {
  using directory = temporaryDirectory();
  const session = await tellOften(directory.path, "a");
  await session.past.rewind(0);
  expect(historyOf(directory.path)).toBe("[]\n");
  await say(session, "b");
  session.close();
  open(directory.path).close();
  expect(JSON.parse(historyOf(directory.path))).toMatchObject([{ content: "b" }, { content: "yes" }]);
});

test.each([
  ["the only one", {}],
  ["put aside", AT_ONCE],
])("going back to the beginning keeps imported messages, also if their journal is %s", async (_, options) => {
  using directory = temporaryDirectory();
  const imported = [
    { role: "user", content: "Hi.", timestamp: 5 },
    { role: "assistant", content: "Hello.", timestamp: 6 },
  ];
  mkdirSync(folderOf(directory.path), { recursive: true });
  writeFileSync(join(folderOf(directory.path), "history.json"), JSON.stringify(imported));
  const session = open(directory.path, options);
  for (const text of ["a", "b"]) await say(session, text);
  await session.past.rewind(0);
  expect(questions(session.messages)).toBe("Hi.");
  await say(session, "c");
  session.close();
  const shown = ["Hi.", "Hello.", "c", "yes"].map((content) => ({ content }));
  expect(JSON.parse(historyOf(directory.path))).toMatchObject(shown);
});

test("history.json shows the branch that is gone back to, also where another one is as long", async () => {
  using directory = temporaryDirectory();
  const session = await tellOften(directory.path, "a", "b");
  const { lastPrompt } = session;
  session.close();
  const back = open(directory.path);
  await back.past.rewind(lastPrompt - 1);
  await say(back, "c");
  await back.past.rewind(lastPrompt);
  expect(historyOf(directory.path)).toContain('"b"');
  await back.past.rewind(lastPrompt + 1);
  expect(historyOf(directory.path)).toContain('"c"');
  back.close();
});

test("an input that was taken back stays so, though the queue began in a journal that was put aside", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  await session.dequeue(await session.enqueue({ text: "not this" }, "id"));
  session.close();
  (await tellOften(directory.path, "a")).close();
  const again = open(directory.path);
  expect(await again.enqueue({ text: "nor this" }, "id")).toBe(2);
  await again.past.rewind(8);
  await again.dequeue(2);
  again.close();
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

test("the transcript has the messages of the running prompt, also where the oldest are not held any more", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path, { policy: { messages: 2 } });
  for (const text of ["a", "b", "c", "d"]) await say(session, text);
  expect(session.conversation.first).toBeGreaterThan(0);
  await session.runPrompt(async (journal) => {
    const step = stepsOf(journal);
    const { messages } = journal.conversation;
    messages.push(await begun(step, "e"));
    expect(questions(session.messages)).toBe("abcde");
    await step("end", async () => "done", { accepts: (value) => value === "done" });
  });
  session.close();
});

test("a journal whose head alone is long is put aside when it has grown, not at each prompt", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path, SOON);
  await session.enqueue({ text: "x".repeat(5000) }, "id");
  for (let number = 1; number <= 5; number++) await say(session, `${number}`);
  expect(journalsOf(directory.path)).toBe(2);
  session.close();
});

test("an input that is put into the queue while the journal is put aside is kept, and nothing else is reported", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path, AT_ONCE);
  await say(session, "a");
  for (let number = 1; number <= 5; number++) {
    const kept = session.enqueue({ text: `kept ${number}` }, "id");
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

test("journals that are put aside after a session was cleared stay, though others had their names before", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path, AT_ONCE);
  for (const text of ["a", "b"]) await say(session, text);
  session.close();
  const cleared = open(directory.path);
  cleared.clear();
  for (const text of ["c", "d"]) await say(cleared, text);
  cleared.close();
  open(directory.path, AT_ONCE).close();
  for (const _ of Array(2).keys()) {
    const again = open(directory.path);
    expect(questions(again.messages)).toBe("cd");
    again.close();
  }
});

import { expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Step } from "@mdx-ai/loop";
import { isPromptBegin } from "@mdx-ai/loop";
import {
  type AssistantMessage,
  isAssistantMessage,
  isToolResultMessage,
  type Message,
  type UserMessage,
} from "@mdx-ai/models";
import type { OpenedSession } from "@mdx-ai/sessions";
import { JournalError, openStoredSession, SessionInUseError } from "@mdx-ai/sessions";
import { beginLine, beginOf, begun, stepsOf } from "../../support/prompt-steps.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const user = (text: string): UserMessage => ({ role: "user", content: [{ type: "text", text }], timestamp: 0 });

const assistant = (text: string, ...calls: string[]): AssistantMessage => ({
  role: "assistant",
  content: [
    { type: "text", text },
    ...calls.map((id) => ({ type: "toolCall", id, name: "echo", arguments: {} }) as const),
  ],
  provider: "script",
  model: "test",
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 0 },
  stopReason: calls.length > 0 ? "toolUse" : "stop",
  timestamp: 1000,
});

const result = (id: string): Message => ({
  role: "toolResult",
  toolCallId: id,
  toolName: "echo",
  content: [{ type: "text", text: id }],
  isError: false,
  timestamp: 0,
});

function open(directory: string, warnings: string[] = []): OpenedSession {
  return openStoredSession({
    directory,
    id: "main",
    clock: { now: () => 0 },
    onWarning: (message) => {
      warnings.push(message);
    },
  });
}

async function say(session: OpenedSession, question: string, answer: string): Promise<void> {
  await session.runPrompt(async (journal) => {
    const step = stepsOf(journal);
    const { messages } = journal.conversation;
    messages.push(await begun(step, question));
    messages.push(await step("model:1", async () => assistant(answer), { accepts: isAssistantMessage }));
    await end(step);
  });
}

const end = (step: Step) => step("end", async () => "done", { accepts: (value) => value === "done" });

const files = (directory: string): string[] => readdirSync(join(directory, "main")).toSorted();
const history = (directory: string): unknown => JSON.parse(readFileSync(join(directory, "main/history.json"), "utf8"));

test("a session is made with its folders, its owner's alone, and read back as it was", async () => {
  using temporary = temporaryDirectory();
  const directory = join(temporary.path, "sessions");
  const session = open(directory);
  await say(session, "Hello", "Hi");
  await say(session, "Who?", "Me");
  expect(statSync(join(directory, "main")).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, "main/history.json")).mode & 0o777).toBe(0o600);
  const { messages } = session;
  session.close();
  expect(files(directory)).toEqual(["history.json", "id", "journal.jsonl"]);
  const again = open(directory);
  expect(again.messages).toEqual(messages);
  expect(again.lastPrompt).toBe(2);
  expect(again.interrupted).toBeUndefined();
  again.close();
});

test("history.json is an array of role, content and timestamp", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  expect(files(directory.path)).not.toContain("history.json");
  await say(session, "Hello", "Hi");
  expect(history(directory.path)).toEqual([
    { role: "user", content: "Hello", timestamp: "1970-01-01T00:00:00.000Z" },
    { role: "assistant", content: "Hi", timestamp: "1970-01-01T00:00:01.000Z" },
  ]);
  await say(session, "Ünïcödé 🎉", "Yes");
  expect(history(directory.path)).toHaveLength(4);
  session.close();
});

test.each([
  ["missing", (path: string) => rmSync(path)],
  ["empty", (path: string) => writeFileSync(path, "")],
  ["half written", (path: string) => writeFileSync(path, readFileSync(path, "utf8").slice(0, -9))],
  ["another's", (path: string) => writeFileSync(path, '[{"role":"user"}]')],
])("history.json that is %s is made anew from the journal", async (_name, damage) => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  await say(session, "Hello", "Hi");
  session.close();
  const path = join(directory.path, "main/history.json");
  const before = readFileSync(path, "utf8");
  damage(path);
  const again = open(directory.path);
  expect(readFileSync(path, "utf8")).toBe(before);
  await say(again, "More", "Sure");
  expect(history(directory.path)).toHaveLength(4);
  again.close();
});

test("tool results are in the order of the calls, in whichever order the tools ended", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  await session.runPrompt(async (journal) => {
    const step = stepsOf(journal);
    const { messages } = journal.conversation;
    messages.push(await begun(step, "go"));
    messages.push(await step("model:1", async () => assistant("", "a", "b"), { accepts: isAssistantMessage }));
    const b = await step("tool:1:b", async () => result("b"), { accepts: isToolResultMessage });
    const a = await step("tool:1:a", async () => result("a"), { accepts: isToolResultMessage });
    messages.push(a, b);
    await end(step);
  });
  const { messages } = session;
  session.close();
  const again = open(directory.path);
  expect(again.messages).toEqual(messages);
  again.close();
});

test("a prompt without an end is interrupted: its steps are kept for the run that closes it", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  await say(session, "Hello", "Hi");
  session.close();
  const line = beginLine(2, "cut short");
  appendFileSync(join(directory.path, "main/journal.jsonl"), `${JSON.stringify(line)}\n`);
  const again = open(directory.path);
  expect(again.interrupted).toMatchObject({ prompt: 2, input: "cut short", tools: [] });
  expect(again.messages).toHaveLength(2);
  await again.runPrompt(async (journal) => {
    const step = stepsOf(journal);
    const { messages } = journal.conversation;
    const { input } = await step("begin", async () => beginOf("never drawn"), { accepts: isPromptBegin });
    messages.push(input);
    await end(step);
  });
  expect(again.messages.at(-1)).toEqual(user("cut short"));
  expect(again.interrupted).toBeUndefined();
  expect(again.lastPrompt).toBe(2);
  again.close();
});

test("a prompt that fails in the middle leaves the session as the disk has it", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  const failing = session.runPrompt(async (journal) => {
    const step = stepsOf(journal);
    const { messages } = journal.conversation;
    const { input } = await step("begin", async () => beginOf("kept"), { accepts: isPromptBegin });
    messages.push(input);
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
  expect(session.messages).toEqual([]);
  expect(session.interrupted).toMatchObject({ input: "kept" });
  session.close();
});

test("clearing archives the journal and the history, deletes nothing, and the session continues empty", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  await say(session, "Hello", "Hi");
  const journal = readFileSync(join(directory.path, "main/journal.jsonl"), "utf8");
  session.clear();
  expect(session.messages).toEqual([]);
  expect(history(directory.path)).toEqual([]);
  await say(session, "New", "Yes");
  session.clear();
  const archives = readdirSync(join(directory.path, "main/archive")).toSorted();
  expect(archives).toHaveLength(2);
  expect(readFileSync(join(directory.path, "main/archive", archives[0] ?? "", "journal.jsonl"), "utf8")).toBe(journal);
  expect(existsSync(join(directory.path, "main/archive", archives[1] ?? "", "history.json"))).toBe(true);
  session.close();
});

test("a session is held by one at a time, and free again after it closes", () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  expect(() => open(directory.path)).toThrow(SessionInUseError);
  session.close();
  open(directory.path).close();
});

test("a torn last line is reported and the session continues", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  await say(session, "Hello", "Hi");
  session.close();
  appendFileSync(join(directory.path, "main/journal.jsonl"), '{"v":1,"pro');
  const warnings: string[] = [];
  const again = open(directory.path, warnings);
  expect(again.messages).toHaveLength(2);
  expect(warnings).toEqual([expect.stringContaining("the last line of journal.jsonl is unfinished; it was moved to ")]);
  again.close();
});

test.each([
  ["removed", (path: string) => rmSync(path)],
  ["overwritten", (path: string) => writeFileSync(path, "garbage")],
])("history.json that is %s while the session is open is whole again after the next prompt", async (_name, damage) => {
  using directory = temporaryDirectory();
  const warnings: string[] = [];
  const session = open(directory.path, warnings);
  await say(session, "Hello", "Hi");
  damage(join(directory.path, "main/history.json"));
  await say(session, "More", "Sure");
  expect(history(directory.path)).toHaveLength(4);
  expect(warnings).toEqual([]);
  session.close();
});

test("history.json that cannot be written is a warning, and shows all as soon as it can be", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "main/history.json");
  mkdirSync(join(path, "full"), { recursive: true });
  const warnings: string[] = [];
  const session = open(directory.path, warnings);
  await say(session, "Hello", "Hi");
  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toStartWith("session main: history.json could not be written (");
  rmSync(path, { recursive: true });
  await say(session, "More", "Sure");
  expect(history(directory.path)).toHaveLength(4);
  expect(files(directory.path)).toEqual(["history.json", "id", "journal.jsonl", "lock"]);
  session.close();
});

test("a session is not archived behind a link that is made while it is open", async () => {
  using directory = temporaryDirectory();
  using elsewhere = temporaryDirectory();
  const session = open(directory.path);
  await say(session, "Hello", "Hi");
  symlinkSync(elsewhere.path, join(directory.path, "main/archive"));
  expect(() => session.clear()).toThrow("archive is a symbolic link, which is not followed");
  expect(readdirSync(elsewhere.path)).toEqual([]);
  await say(session, "More", "Sure");
  expect(session.messages).toHaveLength(4);
  session.close();
});

test("a session that could not be archived continues with all that it holds", async () => {
  using directory = temporaryDirectory();
  const session = open(directory.path);
  await say(session, "Hello", "Hi");
  writeFileSync(join(directory.path, "main/archive"), "a file where a folder should be");
  expect(() => session.clear()).toThrow();
  await say(session, "More", "Sure");
  expect(session.messages).toHaveLength(4);
  session.close();
});

test("a session that cannot be read again after a failure reports the failure, and is read again when it is used next", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "main/journal.jsonl");
  const session = open(directory.path);
  await say(session, "Hello", "Hi");
  const failing = session.runPrompt(async () => {
    renameSync(path, `${path}.away`);
    mkdirSync(path);
    throw new Error("the disk is gone");
  });
  await expect(failing).rejects.toThrow("the disk is gone");
  expect(() => session.messages).toThrow(JournalError);
  rmdirSync(path);
  renameSync(`${path}.away`, path);
  await say(session, "More", "Sure");
  expect(session.messages).toHaveLength(4);
  session.close();
});

test.each([
  ["sessions", ""],
  ["a session", "sessions"],
])("a file where the folder of %s should be is a JournalError that names the place", (_name, folder) => {
  using directory = temporaryDirectory();
  if (folder !== "") mkdirSync(join(directory.path, folder));
  writeFileSync(join(directory.path, folder === "" ? "sessions" : "sessions/main"), "");
  const place = join(directory.path, "sessions");
  expect(() => open(place)).toThrow(JournalError);
  expect(() => open(place)).toThrow(`cannot use the session folder ${join(place, "main")}: `);
});

test("a process that lost its session to another one stops, and writes nothing more", async () => {
  using directory = temporaryDirectory();
  let now = 0;
  const session = openStoredSession({
    directory: directory.path,
    id: "main",
    longFrom: 1,
    clock: { now: () => now },
    onWarning() {},
  });
  await say(session, "one", "1");
  now += 120_000;
  const lock = join(directory.path, "main/lock");
  const taken = JSON.stringify({ pid: 1, since: "2026-04-28T10:00:00.000Z", host: "elsewhere" });
  writeFileSync(lock, taken);
  const journal = readFileSync(join(directory.path, "main/journal.jsonl"), "utf8");
  await expect(say(session, "two", "2")).rejects.toThrow(
    "session main was taken over by another process because this one was suspended for a long time; open it again",
  );
  session.close();
  expect(readFileSync(join(directory.path, "main/journal.jsonl"), "utf8")).toBe(journal);
  expect(readdirSync(join(directory.path, "main")).filter((name) => name.startsWith("journal"))).toEqual([
    "journal.jsonl",
  ]);
  expect(readFileSync(lock, "utf8")).toBe(taken);
});

test("a process that lost it in the middle of a prompt, while it stood still, writes nothing more either, and fixes nothing", async () => {
  using directory = temporaryDirectory();
  let now = 0;
  const session = openStoredSession({
    directory: directory.path,
    id: "main",
    clock: { now: () => now },
    onWarning() {},
  });
  await say(session, "one", "1");
  const path = join(directory.path, "main/journal.jsonl");
  let left = "";
  const working = session.runPrompt(async (journal) => {
    const step = stepsOf(journal);
    await begun(step, "two");
    writeFileSync(
      join(directory.path, "main/lock"),
      JSON.stringify({ pid: 1, since: "2026-04-28T10:00:00.000Z", host: "elsewhere" }),
    );
    appendFileSync(path, '{"v":1,"prompt":2,"st');
    left = readFileSync(path, "utf8");
    now += 120_000;
    await step("model:1", async () => assistant("never"), { accepts: isAssistantMessage });
  });
  await expect(working).rejects.toThrow("taken over by another process");
  expect(() => session.conversation).toThrow("taken over by another process");
  await expect(session.enqueue({ text: "three" }, "id")).rejects.toThrow("taken over by another process");
  session.close();
  expect(readFileSync(path, "utf8")).toBe(left);
});

test("a step of the session whose journaled result cannot be read is made again, for good", async () => {
  using directory = temporaryDirectory();
  const folder = join(directory.path, "main");
  mkdirSync(folder);
  writeFileSync(join(folder, "journal.jsonl"), '{"v":1,"prompt":0,"step":"identity:x","result":7}\n');
  const isString = (value: unknown): value is string => typeof value === "string";
  for (const made of ["# Identity", "never"]) {
    const session = open(directory.path);
    expect(await session.ownStep("identity:x", async () => made, { accepts: isString })).toBe("# Identity");
    session.close();
  }
});

test("a journal that another program changes between prompts is read again, and none of what follows is lost", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "main/journal.jsonl");
  const session = open(directory.path);
  await say(session, "one", "1");
  // As an editor that replaces the file.
  writeFileSync(`${path}.new`, readFileSync(path, "utf8").replace('"one"', '"won"'));
  renameSync(`${path}.new`, path);
  await expect(session.enqueue({ text: "now" }, "id")).rejects.toThrow("session main has another journal now");
  await say(session, "two", "2");
  const texts = session.conversation.messages.flatMap(({ role, content }) =>
    role === "user" ? content.map((block) => (block.type === "text" ? block.text : "")) : [],
  );
  expect(texts).toEqual(["won", "two"]);
  rmSync(path);
  await expect(say(session, "three", "3")).rejects.toThrow(JournalError);
  session.close();
});

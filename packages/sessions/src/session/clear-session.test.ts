import { expect, test } from "bun:test";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { noCost } from "@mdx-ai/loop";
import { deleteSession, listSessions, readSession, UnknownSessionError, verifySessions } from "@mdx-ai/sessions";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import { draftName } from "../../../base/src/disk/drafts.ts";

/** A session that said something in two journals, and its folder. */
async function talkedTo(directory: string): Promise<string> {
  const agent = await openScriptAgent(directory, [{ text: "one" }]);
  await Array.fromAsync(agent.session().prompt("a"));
  await agent.close();
  const folder = join(directory, "sessions/main");
  const text = readFileSync(join(folder, "journal.jsonl"), "utf8");
  const lines = text.split("\n");
  writeFileSync(join(folder, "journal-0001.jsonl"), `${lines.slice(0, 2).join("\n")}\n`);
  writeFileSync(join(folder, "journal.jsonl"), lines.slice(2).join("\n"));
  return folder;
}

/** The draft of a process that has ended: no system has so many. */
const leftBehind = (name: string): string => draftName(name).replace(`-${process.pid}-`, "-2147483646-");

const journals = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith("journal"))
    .toSorted();

test("a process that ends before the moment of clearing leaves the session as it was", async () => {
  using directory = agentDirectory();
  const folder = await talkedTo(directory.path);
  const draft = join(folder, "archive", leftBehind("2026-01-01T00-00-00.000Z"));
  mkdirSync(draft, { recursive: true });
  for (const name of journals(folder)) linkSync(join(folder, name), join(draft, name));
  expect(readSession(directory.path, "main").messages).toHaveLength(2);
  const agent = await openScriptAgent(directory.path, []);
  expect(await agent.session().messages()).toHaveLength(2);
  await agent.session().clear();
  expect(existsSync(draft)).toBe(false);
  expect(readdirSync(join(folder, "archive"))).toHaveLength(1);
  await agent.close();
});

test("a process that ends after it leaves the session cleared; what is left to be put away is put away at the next start", async () => {
  using directory = agentDirectory();
  const folder = await talkedTo(directory.path);
  const archive = "2026-01-01T00-00-00.000Z";
  const draft = join(folder, "archive", leftBehind(archive));
  mkdirSync(draft, { recursive: true });
  for (const name of journals(folder)) linkSync(join(folder, name), join(draft, name));
  const head = {
    lastPrompt: 0,
    head: 0,
    messages: 0,
    tail: [],
    cost: noCost,
    own: [],
    history: 0,
    promptIds: [],
    archive,
  };
  const fresh = join(folder, "fresh");
  writeFileSync(fresh, `${JSON.stringify({ v: 1, prompt: 0, step: "segment", result: head })}\n`);
  renameSync(fresh, join(folder, "journal.jsonl"));
  expect(readSession(directory.path, "main").messages).toHaveLength(0);
  const agent = await openScriptAgent(directory.path, [{ text: "two" }]);
  expect(await agent.session().messages()).toHaveLength(0);
  await Array.fromAsync(agent.session().prompt("b"));
  await agent.close();
  expect(journals(folder)).toStrictEqual(["journal.jsonl"]);
  expect(journals(join(folder, "archive", archive))).toStrictEqual(["journal-0001.jsonl", "journal.jsonl"]);
  expect(JSON.parse(readFileSync(join(folder, "history.json"), "utf8"))).toHaveLength(2);
});

test("what is archived does not change any more", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "one" }, { text: "two" }, { text: "three" }]);
  for (const text of ["a", "b"]) {
    await Array.fromAsync(agent.session().prompt(text));
    await agent.session().clear();
  }
  await Array.fromAsync(agent.session().prompt("c"));
  await agent.close();
  const archive = join(directory.path, "sessions/main/archive");
  const views = readdirSync(archive)
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(archive, name, "history.json"), "utf8")).length);
  expect(views).toStrictEqual([2, 2]);
});

test("what a process left that ended while it deleted a session goes with the next deletion, though the session is gone", async () => {
  using directory = agentDirectory();
  await talkedTo(directory.path);
  const sessions = join(directory.path, "sessions");
  renameSync(join(sessions, "main"), join(sessions, leftBehind(".deleted")));
  expect(() => deleteSession(directory.path, "main", 0)).toThrow(UnknownSessionError);
  expect(readdirSync(sessions)).toStrictEqual([]);
});

test("the first line of a cleared session, repeated by hand, clears nothing for any reader", async () => {
  using directory = agentDirectory();
  const first = await openScriptAgent(directory.path, [{ text: "one" }, { text: "two" }]);
  await Array.fromAsync(first.session().prompt("a"));
  await first.session().clear();
  await Array.fromAsync(first.session().prompt("b"));
  await first.close();
  const journal = join(directory.path, "sessions/main/journal.jsonl");
  const text = readFileSync(journal, "utf8");
  writeFileSync(journal, `${text}${text.slice(0, text.indexOf("\n") + 1)}`);
  const seen = readSession(directory.path, "main").messages;
  const {
    sessions: [verified],
  } = await verifySessions(directory.path, { now: Date.now(), isCheck: true });
  const [listed] = listSessions(directory.path).sessions;
  const agent = await openScriptAgent(directory.path, []);
  const opened = await agent.session().messages();
  await agent.close();
  expect(opened).toHaveLength(2);
  expect(seen).toHaveLength(2);
  expect([verified, listed]).toMatchObject([{ state: "ok", prompts: 1 }, { prompts: 1 }]);
});

import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { openAgent } from "@mdx-ai/runtime";
import { listSessions, newSession, renameSession, rewindSession } from "@mdx-ai/sessions";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { agentDirectory } from "../../support/agent-directory.ts";
import { textReply } from "../../support/anthropic-replies.ts";
import { anthropicServer } from "../../support/anthropic-server.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

test("a model never sees the messages of another session, whether they take turns or go on after a restart", async () => {
  using directory = agentDirectory();
  using server = anthropicServer(...["a", "b", "c", "d"].map((text) => textReply(text)));
  for (const round of [1, 2]) {
    const agent = await openAgent({
      directory: await readAgentDirectory(directory.path),
      model: await openModel("claude-test", { environment: server.environment }),
      cwd: directory.path,
      toolHostCommand: toolHostCommand(),
      environment: process.env,
    });
    for (const session of ["one", "two"])
      await Array.fromAsync(agent.session(session).prompt(`said in ${session} ${round}`));
    await agent.close();
  }
  const said = server.requests.map(({ text }) => text.match(/said in (one|two) \d/g));
  expect(said).toStrictEqual([
    ["said in one 1"],
    ["said in two 1"],
    ["said in one 1", "said in one 2"],
    ["said in two 1", "said in two 2"],
  ]);
});

test("a journal is only ever added to: over prompts, a crash, /compact, going back and /clear no byte of it changes", async () => {
  using directory = agentDirectory();
  const path = join(directory.path, "sessions/main/journal.jsonl");
  let before = Buffer.alloc(0);
  const grew = (journal: string): void => {
    const bytes = readFileSync(journal);
    expect(bytes.length).toBeGreaterThan(before.length);
    expect(bytes.subarray(0, before.length).equals(before)).toBe(true);
    before = bytes;
  };
  const replies = ["one", "two", "three", "a summary"].map((text) => ({ text }));
  const agent = await openScriptAgent(directory.path, replies);
  for (const text of ["a", "b", "c"]) {
    await Array.fromAsync(agent.session().prompt(`${text} ${"long ".repeat(2000)}`));
    grew(path);
  }
  expect(await agent.session().compact()).toBeDefined();
  grew(path);
  await agent.close();

  await rewindSession(directory.path, { id: "main", to: 1, now: 0, onWarning: () => {} });
  grew(path);

  const third = await openScriptAgent(directory.path, [{ text: "four" }, { text: "five" }]);
  await Array.fromAsync(third.session().prompt("d"));
  grew(path);
  await third.close();
  // As a crash leaves it that came before the end of the prompt.
  const whole = before.toString();
  before = before.subarray(0, Buffer.byteLength(whole.slice(0, whole.trimEnd().lastIndexOf("\n") + 1)));
  truncateSync(path, before.length);
  const fourth = await openScriptAgent(directory.path, [{ text: "six" }]);
  await Array.fromAsync(fourth.session().resume());
  grew(path);
  await fourth.session().clear();
  await fourth.close();
  const [archived = ""] = readdirSync(join(directory.path, "sessions/main/archive"), {
    recursive: true,
    encoding: "utf8",
  }).filter((name) => name.includes("journal"));
  expect(readFileSync(join(directory.path, "sessions/main/archive", archived)).equals(before)).toBe(true);
});

test("a session's id names its folder, its lock, its log and itself in its records; a new name changes all of them at once", async () => {
  using directory = agentDirectory();
  const now = Date.parse("2026-04-28T12:00:00.000Z");
  const id = newSession(directory.path, now);
  expect(id).toBe("2026-04-28_1");
  const agent = await openScriptAgent(directory.path, [{ text: "one" }]);
  await Array.fromAsync(agent.session(id).prompt("Hi"));
  expect(JSON.parse(readFileSync(join(directory.path, "sessions", id, "lock"), "utf8"))).toMatchObject({
    pid: process.pid,
  });
  await agent.close();
  expect(existsSync(join(directory.path, "sessions", id, "lock"))).toBe(false);
  const log = readFileSync(join(directory.path, "logs", `${id}.jsonl`), "utf8")
    .trimEnd()
    .split("\n");
  expect(log.map((line) => JSON.parse(line).session_id)).toStrictEqual(log.map(() => id));
  expect(listSessions(directory.path).sessions.map((session) => session.id)).toStrictEqual([id]);

  renameSession(directory.path, { from: id, to: "work", now });
  expect(readdirSync(join(directory.path, "sessions")).sort()).toStrictEqual([".ids", "work"]);
  expect(readdirSync(join(directory.path, "logs"))).toContain("work.jsonl");
  expect(readdirSync(join(directory.path, "logs"))).not.toContain(`${id}.jsonl`);
  expect(newSession(directory.path, now)).toBe("2026-04-28_2");
});

test("an agent's life lies beside its files as the documentation says, and its owner alone can read it", async () => {
  using directory = agentDirectory();
  const usage = { input: 1, output: 1 };
  const agent = await openScriptAgent(directory.path, [
    { text: "one ".repeat(1500), usage },
    { text: "two ".repeat(1500), usage },
  ]);
  await agent.memory.remember("Is called Ada");
  for (const session of ["main", "other"]) await Array.fromAsync(agent.session(session).prompt("Hi"));
  await agent.close();
  const files = readdirSync(directory.path, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(directory.path, name)).isFile())
    .map((name) => name.replace(/\d{4}-\d\d-\d\d/, "DATE"));
  expect([...new Set(files)].toSorted()).toStrictEqual([
    "agent.mdx",
    "logs/DATE.log",
    "logs/main.jsonl",
    "logs/other.jsonl",
    "sessions/main/history.json",
    "sessions/main/id",
    "sessions/main/journal.jsonl",
    "sessions/main/summary.json",
    "sessions/other/history.json",
    "sessions/other/id",
    "sessions/other/journal.jsonl",
    "sessions/other/summary.json",
    "state/agent-state.json",
    "state/memory.json",
    "state/usage.jsonl",
  ]);
  const own = readdirSync(directory.path, { recursive: true, encoding: "utf8" }).filter((name) => name !== "agent.mdx");
  for (const name of own) expect([name, statSync(join(directory.path, name)).mode & 0o077]).toStrictEqual([name, 0]);
});

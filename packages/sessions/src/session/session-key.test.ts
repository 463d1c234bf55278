import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deleteSession, forkSession, openStoredSession, renameSession } from "@mdx-ai/sessions";
import { beginLine } from "../../../../test/support/prompt-steps.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { sessionKey } from "./session-key.ts";

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/;
const TALK = [beginLine(1, "Hi"), { v: 1, prompt: 1, step: "end", result: { outcome: "done", at: 0 } }]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("");

const folderOf = (agentDir: string, id: string): string => join(agentDir, "sessions", id);
const keyFile = (agentDir: string, id: string): string => join(folderOf(agentDir, id), "id");
const keyOf = (agentDir: string, id: string): string => readFileSync(keyFile(agentDir, id), "utf8").trimEnd();

/** Opens a session, lets it do something, and closes it. */
function use(agentDir: string, id: string, act: (session: ReturnType<typeof openStoredSession>) => void = () => {}) {
  const session = openStoredSession({
    directory: join(agentDir, "sessions"),
    id,
    clock: { now: () => 0 },
    onWarning: () => {},
  });
  act(session);
  session.close();
  return keyOf(agentDir, id);
}

/** Makes a session with a prompt and without a key. */
function makeKeyless(agentDir: string, id: string): void {
  mkdirSync(folderOf(agentDir, id), { recursive: true });
  writeFileSync(join(folderOf(agentDir, id), "journal.jsonl"), TALK);
}

describe("the key of a session", () => {
  test("is made with it, random, its owner's alone, and the same for good", () => {
    using agent = temporaryDirectory();
    const keys = [use(agent.path, "main"), use(agent.path, "other")];
    for (const key of keys) expect(key).toMatch(UUID);
    expect(new Set(keys).size).toBe(2);
    expect(statSync(keyFile(agent.path, "main")).mode & 0o777).toBe(0o600);
    expect([use(agent.path, "main"), sessionKey(folderOf(agent.path, "main"))]).toStrictEqual([
      keys[0] ?? "",
      keys[0] ?? "",
    ]);
  });

  test("is another one where a session is deleted and one of the same name begins", () => {
    using agent = temporaryDirectory();
    const before = use(agent.path, "main");
    deleteSession(agent.path, "main", 0);
    expect(use(agent.path, "main")).not.toBe(before);
  });

  test("stays through a rename and /clear", () => {
    using agent = temporaryDirectory();
    const key = use(agent.path, "main");
    writeFileSync(join(folderOf(agent.path, "main"), "journal.jsonl"), TALK);
    expect(use(agent.path, "main", (session) => session.clear())).toBe(key);
    renameSession(agent.path, { from: "main", to: "work", now: 0 });
    expect(use(agent.path, "work")).toBe(key);
    expect(use(agent.path, "main")).not.toBe(key);
  });

  test("is a fork's own", async () => {
    using agent = temporaryDirectory();
    makeKeyless(agent.path, "main");
    const key = use(agent.path, "main");
    await forkSession(agent.path, { from: "main", to: "copy", now: 0, onWarning: () => {} });
    expect(keyOf(agent.path, "copy")).toMatch(UUID);
    expect(keyOf(agent.path, "copy")).not.toBe(key);
  });

  test.each<[name: string, write: (path: string) => void]>([
    ["the id of another session", (path) => writeFileSync(path, "main\n")],
    ["its own id", (path) => writeFileSync(path, "foreign\n")],
    ["garbage", (path) => writeFileSync(path, "\0\u0001")],
    ["nothing, as a power cut leaves it", (path) => writeFileSync(path, "")],
    ["more than a key", (path) => writeFileSync(path, `${crypto.randomUUID()}\n${crypto.randomUUID()}\n`)],
    ["far too much", (path) => writeFileSync(path, "x".repeat(100_000))],
    ["a link to the file of another session", (path) => symlinkSync(join(path, "../../main/id"), path)],
    ["a folder", (path) => mkdirSync(path)],
  ])("is never read from a file that holds %s: the session gets a new one", (_name, write) => {
    using agent = temporaryDirectory();
    const main = use(agent.path, "main");
    makeKeyless(agent.path, "foreign");
    write(keyFile(agent.path, "foreign"));
    const key = use(agent.path, "foreign");
    expect(key).toMatch(UUID);
    expect(key).not.toBe(main);
    expect(keyOf(agent.path, "main")).toBe(main);
    expect(use(agent.path, "foreign")).toBe(key);
  });

  test("is not made for a session whose journal is lost", () => {
    using agent = temporaryDirectory();
    makeKeyless(agent.path, "main");
    use(agent.path, "main");
    rmSync(join(folderOf(agent.path, "main"), "journal.jsonl"));
    rmSync(keyFile(agent.path, "main"));
    writeFileSync(join(folderOf(agent.path, "main"), "summary.json"), "{}\n");
    writeFileSync(join(folderOf(agent.path, "main"), "history.json"), '[{"role":"user"}]');
    expect(() => use(agent.path, "main")).toThrow("journal.jsonl is missing");
    expect(() => keyOf(agent.path, "main")).toThrow("ENOENT");
  });
});

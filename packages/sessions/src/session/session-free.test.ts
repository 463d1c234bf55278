import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionIdError, sessionFree } from "@mdx-ai/sessions";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { lockSession } from "./session-folder.ts";

const never = new AbortController().signal;

/** Waits for session main and gives what was told. */
async function wait(agentDir: string, signal: AbortSignal = never): Promise<readonly string[]> {
  const told: string[] = [];
  await sessionFree(agentDir, "main", { signal, onHolder: (holder) => told.push(holder) });
  return told;
}

test("a session without a holder is free at once, and one that is not there, and one that a dead process held", async () => {
  using agent = temporaryDirectory();
  expect(await wait(agent.path)).toEqual([]);
  const folder = join(agent.path, "sessions/main");
  mkdirSync(folder, { recursive: true });
  expect(await wait(agent.path)).toEqual([]);
  writeFileSync(join(folder, "lock"), JSON.stringify({ pid: process.pid, birth: "earlier", since: "2026" }));
  if (process.platform === "linux") expect(await wait(agent.path)).toEqual([]);
});

test("a wait reports once who holds the session, and ends as soon as it is free", async () => {
  using agent = temporaryDirectory();
  const folder = join(agent.path, "sessions/main");
  mkdirSync(folder, { recursive: true });
  const lock = lockSession(join(folder, "lock"), "main", 0);
  const told = Promise.withResolvers<string>();
  let count = 0;
  const onHolder = (holder: string): void => {
    count++;
    told.resolve(holder);
  };
  const waiting = sessionFree(agent.path, "main", { signal: never, onHolder });
  expect(await told.promise).toBe(`process ${process.pid} since 1970-01-01T00:00:00Z`);
  lock.release();
  await waiting;
  expect(count).toBe(1);
});

test("who gives up waits no longer", async () => {
  using agent = temporaryDirectory();
  const folder = join(agent.path, "sessions/main");
  mkdirSync(folder, { recursive: true });
  const lock = lockSession(join(folder, "lock"), "main", 0);
  const giving = new AbortController();
  const waiting = wait(agent.path, giving.signal);
  giving.abort();
  expect(await waiting).toHaveLength(1);
  lock.release();
});

test("a name that is no id is refused", async () => {
  using agent = temporaryDirectory();
  expect(sessionFree(agent.path, "../x", { signal: never, onHolder: () => {} })).rejects.toThrow(SessionIdError);
});

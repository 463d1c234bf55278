import { describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureMemory, openEmbeddedStore, threadFiles } from "@mdx-ai/memory";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const PROGRAM = join(import.meta.dir, "../../support/memory-agent-process.ts");

/** Runs the conversation in a process, which kills itself at a point. Resolves to the signal that ended it. */
async function run(folder: string, point = ""): Promise<unknown> {
  const child = Bun.spawn([process.execPath, PROGRAM, folder, point], { stdout: "inherit", stderr: "inherit" });
  const code = await child.exited;
  if (child.signalCode === null) expect(code).toBe(0);
  return child.signalCode ?? undefined;
}

/** The requests to the model so far, and none from now on. */
function takeRequests(folder: string): readonly string[] {
  const path = join(folder, "requests.jsonl");
  const lines = existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
  writeFileSync(path, "");
  return lines.filter((line) => line !== "");
}

const ALL = Array.from({ length: 6 }, (_, index) => `message ${index + 1}`);

async function stored(folder: string): Promise<{ readonly entries: readonly string[]; readonly context?: string }> {
  const store = await openEmbeddedStore(join(folder, "memory.db"));
  const { vaultId, memoryId } = await ensureMemory(store, { vault: "v", memory: "m", memoryType: "chat" });
  const entries = [...store.entries(vaultId, memoryId)].map(({ rawEntry }) => rawEntry);
  const context = await store.getContext(vaultId, memoryId);
  await store.close();
  return { entries, ...(context !== undefined && { context }) };
}

describe("a process that is killed", () => {
  test.each([
    // The point, and what the next process still asks the model for.
    ["before getContext 1", [...Array(6).fill("add_entry"), "put_context", "put_context"]],
    ["before addEntry 2", [...Array(4).fill("add_entry"), "put_context", "put_context"]],
    ["after addEntry 2", [...Array(4).fill("add_entry"), "put_context", "put_context"]],
    ["after addEntry 6", ["put_context", "put_context"]],
    ["before awaitConsistency 1", ["put_context", "put_context"]],
    ["before putContext 1", ["put_context"]],
    ["after putContext 1", ["put_context"]],
    ["before putContext 2", []],
    ["after putContext 2", []],
  ] as const)(
    "%s is continued by the next one, which stores nothing twice and asks for nothing again",
    async (point, requests) => {
      using directory = temporaryDirectory();
      const folder = directory.path;
      expect(await run(folder, point)).toBe("SIGKILL");
      takeRequests(folder);
      expect(await run(folder)).toBeUndefined();
      expect(takeRequests(folder)).toStrictEqual([...requests]);
      expect(await stored(folder)).toStrictEqual({ entries: ALL, context: "the whole talk" });
    },
  );

  test("again and again loses nothing either", async () => {
    using directory = temporaryDirectory();
    for (const point of ["after addEntry 1", "before addEntry 2", "after addEntry 3", "after awaitConsistency 1"]) {
      expect(await run(directory.path, point)).toBe("SIGKILL");
    }
    expect(await run(directory.path)).toBeUndefined();
    expect(await stored(directory.path)).toStrictEqual({ entries: ALL, context: "the whole talk" });
  });

  test("leaves a journal that a newer version may go on with, and this one then does not", async () => {
    using directory = temporaryDirectory();
    expect(await run(directory.path, "after addEntry 3")).toBe("SIGKILL");
    const open = threadFiles(join(directory.path, "threads"));
    const journal = join(directory.path, "threads/talk.jsonl");
    const before = await open("talk");
    expect(before.events.length).toBeGreaterThan(0);
    before.close();
    appendFileSync(journal, '{"v":2}\n');
    await expect(open("talk")).rejects.toThrow(`${journal} was written by a newer version of mdx-ai; update mdx-ai`);
  });

  test("in the middle of a line leaves a journal that goes on", async () => {
    using directory = temporaryDirectory();
    expect(await run(directory.path, "after addEntry 3")).toBe("SIGKILL");
    const journal = join(directory.path, "threads/talk.jsonl");
    writeFileSync(journal, `${readFileSync(journal, "utf8")}{"type":"execu`);
    expect(await run(directory.path)).toBeUndefined();
    expect(await stored(directory.path)).toStrictEqual({ entries: ALL, context: "the whole talk" });
  });
});

import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureMemory, openEmbeddedStore } from "@mdx-ai/memory";
import { writeFiles } from "../../support/agent-files.ts";
import { eventually } from "../../support/eventually.ts";
import { scriptReference } from "../../support/replies.ts";
import { cliCommand, cliEnvironment, runCli } from "../../support/run-cli.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

test("a prompt that was cut short is resumed with what was remembered when it began", async () => {
  using home = temporaryDirectory();
  const agent = join(home.path, "agent");
  const silent = scriptReference(home.path, []);
  writeFiles(agent, {
    "agent.mdx": `---\nmemory: {model: "${silent}"}\n---\n# Agent: Anna\n\n## Purpose\n\nHelps.\n`,
    "state/memory/.keep": "",
  });
  const remember = async (rawEntry: string): Promise<void> => {
    const store = await openEmbeddedStore(join(agent, "state/memory/memory.db"));
    const name = { vault: "agent", memory: "conversations", memoryType: "chat" };
    const { vaultId, memoryId } = await ensureMemory(store, name);
    await store.addEntry(vaultId, memoryId, { rawEntry, summary: rawEntry, createdAt: "2026-05-01T10:00:00.000Z" });
    await store.close();
  };
  await remember("Likes tea.");
  const slow = scriptReference(home.path, [{ text: "never", delay: 600_000 }]);
  const options = {
    cwd: home.path,
    env: cliEnvironment({ home: home.path }),
    stdout: "ignore",
    stderr: "ignore",
  } as const;
  const child = Bun.spawn(
    cliCommand(["agent", agent, "--prompt", "What do I like?", "--model", slow, "--trust"]),
    options,
  );
  const journal = join(agent, "sessions/main/journal.jsonl");
  const journaled = (): string => (existsSync(journal) ? readFileSync(journal, "utf8") : "");
  await eventually(() => expect(journaled()).toContain("Likes tea."));
  const before = journaled();
  child.kill("SIGKILL");
  await child.exited;
  await remember("Likes coffee.");
  const model = scriptReference(home.path, [{ text: "Tea." }]);
  const resumed = await runCli(["agent", agent, "--resume", "--model", model, "--trust", "--prompt", "Thanks"], {
    home: home.path,
  });
  expect(resumed.stderr).not.toContain("foreign");
  const after = journaled();
  expect(after).toStartWith(before);
  expect(after.slice(before.length)).not.toContain("Likes");
  expect(after).not.toContain("Likes coffee.");
});

import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureMemory, openEmbeddedStore } from "@mdx-ai/memory";
import { writeFiles } from "../../support/agent-files.ts";
import { eventually } from "../../support/eventually.ts";
import { contextReply, entryReply } from "../../support/memory-bench.ts";
import { scriptReference } from "../../support/replies.ts";
import { requireProgram } from "../../support/require-program.ts";
import { cliCommand, cliEnvironment, runCli } from "../../support/run-cli.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const agentText = (model: string): string =>
  `---\nmemory: {model: "${model}"}\n---\n# Agent: Anna\n\n## Purpose\n\nHelps.\n`;

test.skipIf(requireProgram("bwrap"))(
  "what a killed process had not yet remembered is remembered by the next",
  async () => {
    using home = temporaryDirectory();
    const agent = join(home.path, "agent");
    const slow = scriptReference(home.path, [{ ...entryReply("never"), delay: 600_000 }]);
    writeFiles(agent, { "agent.mdx": agentText(slow) });
    const run = (prompt: string, answer: string): string[] => {
      const model = scriptReference(home.path, [{ text: answer }]);
      return ["agent", agent, "--prompt", prompt, "--model", model, "--trust"];
    };
    const child = Bun.spawn(cliCommand(run("I like tea", "Noted.")), {
      cwd: home.path,
      env: cliEnvironment({ home: home.path }),
      stdout: "ignore",
      stderr: "ignore",
    });
    const pending = join(agent, "state/memory/pending");
    await eventually(() => existsSync(pending) && readdirSync(pending).length > 0);
    const threads = join(agent, "state/memory/threads");
    await eventually(() => existsSync(threads) && readdirSync(threads).length > 0);
    child.kill("SIGKILL");
    await child.exited;
    const entries = ["one", "two", "three", "four"].map((summary) => entryReply(summary));
    const fast = scriptReference(home.path, [
      ...[...entries.slice(0, 2), contextReply("Tea.")],
      ...[...entries.slice(2), contextReply("More tea.")],
    ]);
    writeFiles(agent, { "agent.mdx": agentText(fast) });
    const next = await runCli([...run("And coffee", "Fine."), "--session", "other"], { home: home.path });
    expect(next).toMatchObject({ exitCode: 0, stdout: "Fine.\n", stderr: "" });
    const store = await openEmbeddedStore(join(agent, "state/memory/memory.db"));
    const { vaultId, memoryId } = await ensureMemory(store, {
      ...{ vault: "agent", memory: "conversations", memoryType: "chat" },
    });
    const texts = [...store.entries(vaultId, memoryId)].map(({ rawEntry }) => rawEntry);
    expect(texts.toSorted()).toStrictEqual(["And coffee", "Fine.", "I like tea", "Noted."]);
    expect(readdirSync(pending)).toStrictEqual([]);
    await store.close();
  },
);

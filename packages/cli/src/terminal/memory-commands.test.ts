import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { UserMemory } from "@mdx-ai/runtime";
import { writeText } from "../../../../test/support/agent-files.ts";
import { openMemory } from "../../../../test/support/open-memory.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { memoryCommands } from "./memory-commands.ts";

function memoryOf(agentDir: string): UserMemory {
  const { memory } = openMemory(agentDir);
  return {
    remember: (text) => memory.remember(text),
    memories: async () => (await memory.read()).memories,
    forget: (id) => memory.forget(id),
    addNote: (text) => memory.addNote(text),
  };
}

/** What a command answers, if the agent remembers these conversations. */
const answer = async (memory: UserMemory, name: string, words = "", found?: string): Promise<string | undefined> =>
  memoryCommands.find((command) => command.name === name)?.run({ memory, searchMemory: async () => found }, words);

test("/remember confirms, /memories lists with ids, /forget takes away", async () => {
  using agent = temporaryDirectory();
  const memory = memoryOf(agent.path);
  expect(await answer(memory, "/memories")).toContain("/remember TEXT");
  const confirmed = await answer(memory, "/remember", "Likes\n  cats");
  expect(confirmed).toMatch(/^Remembered as [0-9a-f]{8}, from the next prompt on: Likes cats$/);
  const id = /[0-9a-f]{8}/.exec(confirmed ?? "")?.[0] ?? "";
  await answer(memory, "/remember", "Is called Ada");
  expect(await answer(memory, "/memories")).toMatch(
    new RegExp(`^${id} {2}2026-04-29 {2}Likes cats\n[0-9a-f]{8} {2}2026-04-29 {2}Is called Ada$`),
  );
  expect(await answer(memory, "/forget", id)).toBe("Forgotten: Likes cats");
  expect(await answer(memory, "/forget", id)).toBe(`There is no memory ${id}; /memories lists them.`);
  expect(await answer(memory, "/memories")).toMatch(/^[0-9a-f]{8} {2}2026-04-29 {2}Is called Ada$/);
});

test("/memory appends the text to AGENT.md exactly and confirms it in a line", async () => {
  using agent = temporaryDirectory();
  const memory = memoryOf(agent.path);
  expect(await answer(memory, "/memory", "Bun, not *Node*")).toBe("Added to AGENT.md: * Bun, not *Node*");
  expect(await answer(memory, "/memory", "a\n  b")).toBe("Added to AGENT.md: * a\n  b");
  expect(readFileSync(join(agent.path, "AGENT.md"), "utf8")).toBe("* Bun, not *Node*\n* a\n  b\n");
});

test("/memory search TEXT searches remembered conversations, and is a note for an agent that remembers none", async () => {
  using agent = temporaryDirectory();
  const memory = memoryOf(agent.path);
  expect(await answer(memory, "/memory", "search tea", "[1] user: I like tea")).toBe("[1] user: I like tea");
  expect(await answer(memory, "/memory", "search", "never")).toBe("Say what to search for: /memory search TEXT");
  expect(await answer(memory, "/memory", "search")).toBe("Added to AGENT.md: * search");
  expect(await answer(memory, "/memory", "search tea")).toBe("Added to AGENT.md: * search tea");
  expect(readFileSync(join(agent.path, "AGENT.md"), "utf8")).toBe("* search\n* search tea\n");
});

test("/memory warns when AGENT.md is longer than what the model receives", async () => {
  using agent = temporaryDirectory();
  writeText(join(agent.path, "AGENT.md"), `${"x".repeat(65_531)}\n`);
  const memory = memoryOf(agent.path);
  expect(await answer(memory, "/memory", "a")).toBe("Added to AGENT.md: * a");
  expect(await answer(memory, "/memory", "b")).toBe(
    "Added to AGENT.md: * b\nThe file has 65,540 bytes now, of which the model receives the first 65,536.",
  );
});

test.each(["/remember", "/forget", "/memory"])("%s alone says what to write, and changes nothing", async (name) => {
  using agent = temporaryDirectory();
  const memory = memoryOf(agent.path);
  expect(await answer(memory, name)).toContain(`${name} `);
  expect(await memory.memories()).toStrictEqual([]);
});

test("what an edited file holds cannot break out of its line", async () => {
  using agent = temporaryDirectory();
  const hostile = {
    id: "1\u001b[2J",
    timestamp: "\u0007never, and longer than a day",
    content: "a\r\nb\u001b]0;x\u0007\u202e",
  };
  writeText(join(agent.path, "state/memory.json"), JSON.stringify([hostile]));
  expect(await answer(memoryOf(agent.path), "/memories")).toBe("1  never, and  a b");
});

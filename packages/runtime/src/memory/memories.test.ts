import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Memory } from "@mdx-ai/runtime";
import { writeText } from "../../../../test/support/agent-files.ts";
import { openMemory } from "../../../../test/support/open-memory.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { MemoryError } from "./agent-memory.ts";

const path = (agentDir: string): string => join(agentDir, "state/memory.json");
const stored = (agentDir: string): readonly Memory[] => JSON.parse(readFileSync(path(agentDir), "utf8"));

test("memory.json is an array of id, timestamp and content, which its owner alone can read", async () => {
  using agent = temporaryDirectory();
  const { memory, warnings } = openMemory(agent.path);
  const first = await memory.remember(" prefers concise answers \n");
  const second = await memory.remember("line one\r\nline two Grüße 🙂 \ud800");
  expect(first).toStrictEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}$/),
    timestamp: "2026-04-29T09:12:00.000Z",
    content: "prefers concise answers",
  });
  expect(second.content).toBe("line one\r\nline two Grüße 🙂 \ufffd");
  expect(stored(agent.path)).toStrictEqual([first, second]);
  expect(await memory.read()).toStrictEqual({ memories: [first, second] });
  expect(readdirSync(join(agent.path, "state"))).toStrictEqual(["memory.json"]);
  expect([join(agent.path, "state"), path(agent.path)].map((place) => statSync(place).mode & 0o777)).toStrictEqual([
    0o700, 0o600,
  ]);
  expect(warnings).toStrictEqual([]);
});

test("a forgotten memory is gone, and forgetting an unknown one changes nothing", async () => {
  using agent = temporaryDirectory();
  const { memory } = openMemory(agent.path);
  expect(await memory.forget("a3f1c2b0")).toBeUndefined();
  expect(existsSync(path(agent.path))).toBe(false);
  const [one, two] = [await memory.remember("one"), await memory.remember("two")];
  expect(await memory.forget(one.id)).toStrictEqual(one);
  expect(await memory.forget(one.id)).toBeUndefined();
  expect(stored(agent.path)).toStrictEqual([two]);
});

test("a file that people have edited is read, and what they added to an entry is kept", async () => {
  using agent = temporaryDirectory();
  const mine = { id: "1", timestamp: "yesterday", content: "mine", tag: "x" };
  writeText(path(agent.path), `\ufeff${JSON.stringify([mine])}`);
  const { memory, warnings } = openMemory(agent.path);
  const other = await memory.remember("other");
  expect(stored(agent.path)).toStrictEqual([mine, other]);
  expect(warnings).toStrictEqual([]);
});

test("the memory.json of birdie-agent is read, and becomes a list with the first change", async () => {
  using agent = temporaryDirectory();
  const one = { id: "a3f1c2b0", timestamp: "2026-04-29T09:12:00+00:00", content: "prefers concise answers" };
  writeText(path(agent.path), JSON.stringify({ user_id: "alice", entries: [one] }));
  const { memory, warnings } = openMemory(agent.path);
  expect(await memory.read()).toStrictEqual({ memories: [one] });
  const two = await memory.remember("two");
  expect(stored(agent.path)).toStrictEqual([one, two]);
  expect(warnings).toStrictEqual([]);
});

test.each([
  ["half a file", '[{"id":"1","timest'],
  ["an empty file", ""],
  ["another shape", '{"entries":[]}'],
  ["an entry without content", '[{"id":"1","timestamp":"2026-04-29T09:12:00.000Z"}]'],
  ["bytes that are no text", "\u0000\u0001"],
])("%s is reported once, passed over, and set aside before something new is written", async (_name, text) => {
  using agent = temporaryDirectory();
  writeText(path(agent.path), text);
  const { memory, warnings } = openMemory(agent.path);
  for (let look = 0; look < 2; look++) expect(await memory.read()).toStrictEqual({ memories: [] });
  expect(warnings).toStrictEqual([
    "the model does not receive state/memory.json: its format is invalid; adding a memory renames it and starts a new file",
  ]);
  expect(readFileSync(path(agent.path), "utf8")).toBe(text);
  const memories = [await memory.remember("new")];
  const aside = "memory.broken-2026-04-29T09-12-00.000Z.json";
  expect(warnings.slice(1)).toStrictEqual([`state/memory.json cannot be read and was renamed to state/${aside}`]);
  expect(readFileSync(join(agent.path, "state", aside), "utf8")).toBe(text);
  expect(await memory.read()).toStrictEqual({ memories });
});

test.each(["state", "state/memory.json"])(
  "a symbolic link in place of %s is neither read nor written through",
  async (name) => {
    using agent = temporaryDirectory();
    using elsewhere = temporaryDirectory();
    const target = name === "state" ? elsewhere.path : join(elsewhere.path, "memory.json");
    writeText(join(elsewhere.path, "memory.json"), "[]");
    if (name !== "state") mkdirSync(join(agent.path, "state"));
    symlinkSync(target, join(agent.path, name));
    const { memory, warnings } = openMemory(agent.path);
    expect(await memory.read()).toStrictEqual({ memories: [] });
    expect(warnings).toStrictEqual([expect.stringContaining("is a symbolic link, which is not followed")]);
    await expect(memory.remember("new")).rejects.toThrow("is a symbolic link, which is not followed");
    expect(readdirSync(elsewhere.path)).toStrictEqual(["memory.json"]);
    expect(readFileSync(join(elsewhere.path, "memory.json"), "utf8")).toBe("[]");
  },
);

test("what cannot be written is refused in one line that says why, and the file stays as it is", async () => {
  using agent = temporaryDirectory();
  writeText(join(agent.path, "state"), "a file in the way");
  const { memory } = openMemory(agent.path);
  const refused = memory.remember("one");
  await expect(refused).rejects.toThrow(MemoryError);
  await expect(refused).rejects.toThrow(
    /^state\/memory\.json cannot be written: .*state is a file where a folder should be; move it away/,
  );
  await expect(memory.remember(" \n")).rejects.toThrow("the memory is empty");
  rmSync(join(agent.path, "state"));
  expect((await memory.remember("two")).content).toBe("two");
});

test("an ephemeral agent knows the memories, and remembers and forgets nothing itself", async () => {
  using agent = temporaryDirectory();
  const { id } = await openMemory(agent.path).memory.remember("one");
  const { memory } = openMemory(agent.path, { isEphemeral: true });
  await expect(memory.remember("two")).rejects.toThrow("--ephemeral");
  await expect(memory.forget(id)).rejects.toThrow("--ephemeral");
  expect((await memory.read()).memories.map(({ content }) => content)).toStrictEqual(["one"]);
});

test("of processes that remember and note at the same time, none loses anything", async () => {
  using agent = temporaryDirectory();
  const program = join(import.meta.dir, "../../../../test/support/memory-process.ts");
  const names = ["a", "b", "c"];
  const children = names.map((name) =>
    Bun.spawn([process.execPath, program, agent.path, name, "12"], { stdio: ["ignore", "inherit", "inherit"] }),
  );
  expect(await Promise.all(children.map((child) => child.exited))).toStrictEqual([0, 0, 0]);
  const expected = names.flatMap((name) => Array.from({ length: 12 }, (_, at) => `${name} ${at + 1}`)).toSorted();
  const memories = stored(agent.path);
  expect(memories.map(({ content }) => content).toSorted()).toStrictEqual(expected);
  expect(new Set(memories.map(({ id }) => id)).size).toBe(36);
  const notes = readFileSync(join(agent.path, "AGENT.md"), "utf8");
  expect(notes.split("\n").toSorted()).toStrictEqual(["", ...expected.map((text) => `* ${text}`)]);
  expect(readdirSync(join(agent.path, "state"))).toStrictEqual(["memory.json"]);
});

test("the lock of a process that died while it remembered delays no other", async () => {
  using agent = temporaryDirectory();
  const dead = Bun.spawn(["true"]);
  await dead.exited;
  writeText(join(agent.path, "state/memory.lock"), JSON.stringify({ pid: dead.pid, since: 0 }));
  await openMemory(agent.path).memory.remember("one");
  expect(readdirSync(join(agent.path, "state"))).toStrictEqual(["memory.json"]);
});

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { type CliResult, cliCommand, cliEnvironment } from "../support/run-cli.ts";

import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

interface Agent extends TemporaryDirectory {
  readonly memory: (...args: readonly string[]) => Promise<CliResult>;
}

function agent(): Agent {
  const home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
  return { ...home, memory: (...args) => runCommandLine(["memory", "agent", ...args], { home: home.path }) };
}

const LINES = [
  { id: "1", text: "I moved to Vienna in the spring", speaker: "Anna", date: "2026-05-08", session: "one" },
  { id: "2", text: "How nice! I stay in Rome", speaker: "Bert", date: "2026-05-08T10:30:00Z", session: "one", tags: { mood: "glad" } },
  { id: "3", text: "The page says that Vienna has 23 districts", date: "2026-05-09", tags: { source: "tool:read_page" } },
]; // biome-ignore format: a table
const asLines = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

const importLines = async (home: Agent, text: string): Promise<CliResult> => {
  writeFiles(home.path, { "lines.jsonl": text });
  return home.memory("import", "lines.jsonl");
};

describe("mdx-ai memory", () => {
  test("says that nothing is remembered, and creates nothing by looking", async () => {
    using home = agent();
    expect(await home.memory()).toEqual({ exitCode: 0, stdout: "", stderr: "Nothing is remembered yet.\n" });
    expect((await home.memory("list", "--json")).stdout).toBe("[]\n");
    expect((await home.memory("search", "Vienna", "--json")).stdout).toBe("[]\n");
    expect(await home.memory("export")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect((await home.memory("verify")).stdout).toBe("ok\n");
    expect((await home.memory("show", "1")).exitCode).toBe(1);
    expect(readdirSync(join(home.path, "agent"))).not.toContain("state");
  });

  test("export prints what import takes", async () => {
    using home = agent();
    const imported = await importLines(home, asLines(LINES));
    expect(imported).toEqual({
      exitCode: 0,
      stdout: "Imported 3 of 3 lines; 0 existed already, 0 skipped\n",
      stderr: "",
    });
    const exported = (await home.memory("export")).stdout;
    expect(exported).toBe(asLines(LINES));
    using other = agent();
    await importLines(other, exported);
    expect((await other.memory("export")).stdout).toBe(exported);
  });

  test("import leaves out broken lines by their numbers, and adds nothing twice", async () => {
    using home = agent();
    const broken = `${JSON.stringify(LINES[0])}\n{"text": \n\n[]\n{"text":" "}\n{"text":"x","date":"soon"}\n{"text":"x","tags":{"a":[1]}}\n{"text":"same"}\n{"text":"same"}`;
    const first = await importLines(home, broken);
    expect(first.exitCode).toBe(1);
    expect(first.stdout).toBe("Imported 3 of 9 lines; 0 existed already, 5 skipped\n");
    const numbers = [...first.stderr.matchAll(/^line (\d+) skipped: /gm)].map(([, line]) => Number(line));
    expect(numbers).toStrictEqual([2, 4, 5, 6, 7]);
    const again = await importLines(home, broken);
    expect(again.stdout).toBe("Imported 0 of 9 lines; 3 existed already, 5 skipped\n");
    expect(again.exitCode).toBe(1);
  });

  test("search gives the best first, with what programs need", async () => {
    using home = agent();
    await importLines(home, asLines(LINES));
    const found: unknown = JSON.parse((await home.memory("search", "Where did Anna move?", "--json")).stdout);
    const score = expect.any(Number);
    expect(found).toMatchObject([{ ...LINES[0], score }, { id: "2" }, { id: "3" }]);
    const { stdout } = await home.memory("search", "Vienna", "--limit", "1");
    expect(stdout.split("\n")).toHaveLength(2);
    expect((await home.memory("search", "nothing like it")).stderr).toBe("Nothing was found.\n");
  });

  test("list and show print entries for people and programs", async () => {
    using home = agent();
    await importLines(home, asLines(LINES));
    expect((await home.memory("list")).stdout.split("\n")).toStrictEqual([
      "3  2026-05-09  The page says that Vienna has 23 districts",
      "2  2026-05-08  Bert: How nice! I stay in Rome",
      "1  2026-05-08  Anna: I moved to Vienna in the spring",
      "",
    ]);
    const listed: unknown = JSON.parse((await home.memory("list", "--limit", "2", "--json")).stdout);
    expect(listed).toMatchObject([
      { id: "3", speaker: null },
      { id: "2", session: "one", tags: { mood: "glad" } },
    ]);
    expect((await home.memory("show", "2")).stdout).toBe(
      "id: 2\ndate: 2026-05-08T10:30:00Z\nspeaker: Bert\nsession: one\nmood: glad\n\nHow nice! I stay in Rome\n",
    );
    expect(JSON.parse((await home.memory("show", "1", "--json")).stdout)).toMatchObject({ id: "1", speaker: "Anna" });
    expect(await home.memory("show", "9")).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: 'mdx-ai: there is no entry "9"\n',
    });
  });

  test("what came from a tool is listed and forgotten by its source, and no file holds it", async () => {
    using home = agent();
    await importLines(home, asLines(LINES));
    expect((await home.memory("list", "--source", "tool:read_page")).stdout).toMatch(/^3 .*\n$/);
    expect((await home.memory("forget", "--source", "tool:read_page")).stdout).toBe("Forgotten: 3\n");
    expect((await home.memory("list", "--source", "tool:read_page")).stderr).toBe(
      "There are no entries from this source.\n",
    );
    expect(await home.memory("forget", "1", "9")).toEqual({
      exitCode: 1,
      stdout: "Forgotten: 1\n",
      stderr: 'mdx-ai: there is no entry "9"\n',
    });
    const state = join(home.path, "agent/state/memory");
    for (const name of readdirSync(state)) {
      expect(statSync(join(state, name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(state, name), "latin1")).not.toMatch(/vienna|district|anna/i);
    }
    expect((await home.memory("verify")).stdout).toBe("ok\n");
  });

  test("add keeps who said it, when, where and by which source, without keys", async () => {
    using home = agent();
    const key = `sk-ant-api03-${"a".repeat(80)}`;
    const said = ["--speaker", "Anna", "--date", "2026-05-08", "--session", "one", "--source", "tool:x"];
    const added = await home.memory("add", `My key is ${key}`, ...said);
    const id = /^Added: (\S+)\n$/.exec(added.stdout)?.[1] ?? "";
    const { stdout } = await home.memory("show", id, "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      speaker: "Anna",
      date: "2026-05-08",
      session: "one",
      tags: { source: "tool:x" },
    });
    const files = readdirSync(join(home.path, "agent/state/memory"));
    for (const name of files)
      expect(readFileSync(join(home.path, "agent/state/memory", name), "latin1")).not.toContain(key);
  });

  test("vaults and memories are apart", async () => {
    using home = agent();
    await home.memory("add", "In the first");
    await home.memory("add", "In the second", "--vault", "work", "--memory", "notes");
    expect((await home.memory("list")).stdout).toMatch(/In the first\n$/);
    expect((await home.memory("list", "--vault", "work", "--memory", "notes")).stdout).toMatch(/In the second\n$/);
    expect(await home.memory("list", "--vault", "work")).toMatchObject({
      ...{ exitCode: 1, stdout: "", stderr: 'mdx-ai: there is no memory "conversations"; available: notes\n' },
    });
    expect((await home.memory("search", "first", "--vault", "wrok")).stderr).toBe(
      'mdx-ai: there is no vault "wrok"; available: agent, work\n',
    );
  });

  const MISTAKES: readonly (readonly [args: readonly string[], message: string])[] = [
    [["fly"], 'unknown action "fly"; available: list, search,'],
    [["search"], "wrong arguments for memory search; write: mdx-ai memory DIR search TEXT"],
    [["show"], "wrong arguments for memory show"],
    [["forget"], "name what to forget"],
    [["forget", "1", "--source", "x"], "name what to forget"],
    [["search", "x", "--limit", "0"], "--limit needs a whole number from 1 to 100"],
    [["search", "x", "--source", "y"], "--source is not an option of memory search"],
    [["import", "missing.jsonl"], "there is no file"],
    [["import", "."], "is a folder; name a file"],
  ]; // biome-ignore format: a table
  test.each(MISTAKES)("a wrong command line says what to write: %p", async (args, message) => {
    using home = agent();
    const { exitCode, stderr } = await home.memory(...args);
    expect([exitCode, stderr.includes(message) ? message : stderr]).toStrictEqual([2, message]);
  });

  test("what is remembered cannot disguise itself on the terminal", async () => {
    using home = agent();
    await home.memory("add", "before \u001b[2J\u001b]0;owned\u0007\u202e after", "--speaker", "\u001b[31mEve");
    const [{ stdout: list }, { stdout: json }] = [await home.memory("list"), await home.memory("list", "--json")];
    expect(list).toMatch(/ {2}Eve: before after\n$/);
    for (const character of ["\u001b", "\u202e"]) expect(json).not.toContain(character);
  });

  test("a process writes while others read", async () => {
    using home = agent();
    const add = (at: number): Promise<CliResult> =>
      runCommandLine(["memory", "agent", "add", `Entry ${at}`], { home: home.path });
    const added = await Promise.all(Array.from({ length: 4 }, (_, at) => add(at)));
    expect(added.map(({ exitCode }) => exitCode)).toStrictEqual([0, 0, 0, 0]);
    expect(
      (await home.memory("search", "entry", "--json")).stdout.match(/"text": "Entry \d"/g)?.toSorted(),
    ).toHaveLength(4);
  });
});

test("mdx-ai memory serve speaks the protocol of the memory service", async () => {
  using home = agent();
  await home.memory("add", "I moved to Vienna", "--speaker", "Anna");
  await using client = await serve(home.path);
  const tools = await client.request("tools/list", {});
  expect(
    JSON.stringify(tools)
      .match(/"name":"(\w+)"/g)
      ?.map((name) => name.slice(8, -1)),
  ).toStrictEqual([
    ...[
      "create_vault",
      "list_vaults",
      "list_memories",
      "create_memory_in_vault",
      "get_memory",
      "add_entry",
      "list_entries",
    ],
    ...["get_entry", "put_context", "get_context", "await_consistency", "search_memories", "get_default_prompts"],
  ]);
  const call = async (name: string, args: object): Promise<{ readonly text: string; readonly isError?: boolean }> =>
    answerOf(await client.request("tools/call", { name, arguments: args }));
  const [, vault_id = ""] = /"vault_id":"(\w+)"/.exec((await call("list_vaults", {})).text) ?? [];
  const [, memory_id = ""] = /"memory_id":"(\w+)"/.exec((await call("list_memories", { vault_id })).text) ?? [];
  const memory = { vault_id, memory_id };
  expect(await call("get_context", memory)).toEqual({ text: "context not found", isError: true });
  expect(await call("put_context", { ...memory, content: "Anna lives in Vienna." })).toEqual({ text: "enqueued" });
  expect(await call("get_context", memory)).toEqual({ text: "Anna lives in Vienna." });
  const entry = { raw_entry: "I like the trams there", summary: "Anna likes trams", tags: { role: "user", level: 3 } };
  expect(await call("add_entry", { ...memory, ...entry })).toEqual({ text: "enqueued" });
  expect(await call("await_consistency", { memory_id })).toEqual({ text: "consistent" });
  expect(JSON.parse((await call("list_entries", { ...memory, limit: 1 })).text)).toMatchObject({
    entries: [{ ...entry, tags: { role: "user", level: "3" } }],
    count: 1,
  });
  expect(JSON.parse((await call("search_memories", { memory_id, query: "tram", top_k: 1 })).text)).toMatchObject({
    entries: [{ raw_entry: "I like the trams there", score: expect.any(Number) }],
    count: 1,
  });
  expect(await call("search_memories", { memory_id: "none", query: "tram" })).toEqual({
    text: "memory not found: none",
    isError: true,
  });
  expect((await call("list_entries", { ...memory, limit: 51 })).isError).toBe(true);
  expect(Object.keys(JSON.parse((await call("get_default_prompts", { memory_type: "chat" })).text).templates)).toEqual([
    ...["context_prompt", "entry_capture_prompt", "summary_prompt"],
  ]);
  expect(await client.close()).toBe(0);
});

interface Client extends AsyncDisposable {
  request(method: string, params: object): Promise<unknown>;
  /** Closes its standard input and resolves to its exit code. */
  close(): Promise<number>;
}

/** Speaks the protocol by hand: what goes over the pipe is the point. */
async function serve(home: string): Promise<Client> {
  const child = Bun.spawn(cliCommand(["memory", "agent", "serve"]), {
    ...{ cwd: home, env: cliEnvironment({ home }), stdin: "pipe", stdout: "pipe", stderr: "inherit" },
  });
  const waiting = new Map<number, (result: unknown) => void>();
  let id = 0;
  void (async () => {
    let text = "";
    for await (const part of child.stdout) {
      const lines = (text + new TextDecoder().decode(part)).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        const message = JSON.parse(line);
        waiting.get(message.id)?.(message.result ?? message.error);
      }
    }
  })();
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = (method: string, params: object): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>();
    waiting.set(++id, answer.resolve);
    send({ id, method, params });
    return answer.promise;
  };
  const close = async (): Promise<number> => {
    await child.stdin.end();
    return child.exited;
  };
  const clientInfo = { name: "test", version: "1" };
  await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  return { request, close, [Symbol.asyncDispose]: async () => void (await close()) };
}

function answerOf(result: unknown): { readonly text: string; readonly isError?: boolean } {
  const { content, isError } = JSON.parse(JSON.stringify(result));
  return { text: content[0].text, ...(isError && { isError }) };
}

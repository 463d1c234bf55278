import { describe, expect, test } from "bun:test";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../../support/agent-files.ts";
import type { Reply } from "../../support/replies.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

type Call = NonNullable<Reply["calls"]>[number];

const TOOLS = "---\nbuiltins: [read_file, write_file, edit_file, fs.read, fs.write]\n---\n";

const LONG = Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join("\n");

/** A folder with a file, and an agent in it that is opened anew for each prompt of its session. */
function ground(home: string, content: string) {
  const agentDir = writeFiles(join(home, "agent"), { "agent.mdx": `${TOOLS}${MINIMAL_AGENT}` });
  const work = writeFiles(join(home, "work"), { "a.txt": content });
  const path = join(work, "a.txt");
  const open = (replies: readonly Reply[]) =>
    openScriptAgent(agentDir, replies, {
      ...{ workspace: work, cwd: work, permissions: { allowsAll: true } },
    });
  let count = 0;
  /** Runs one prompt with one call in a new process, as far as files are concerned; returns what is in the file then. */
  const run = async (name: string, args: Call["arguments"]): Promise<string> => {
    // As the provider gets the name.
    const wireName = name.replace(".", "_");
    const call = { id: `call_${++count}`, name: wireName, arguments: { path: "a.txt", ...args } };
    const agent = await open([{ calls: [call] }, { text: "done" }]);
    await Array.fromAsync(agent.session().prompt(name));
    await agent.close();
    return readFileSync(path, "utf8");
  };
  return { path, run, open };
}

describe("a file that others change between two runs of a session", () => {
  test.each([
    ["read_file", {}],
    ["read_file", { limit: 1 }],
    ["fs.read", {}],
    ["write_file", { content: "one\ntwo\n" }],
    ["fs.write", { content: "one\ntwo\n" }],
    ["edit_file", { edits: [{ old: "one", new: "1" }] }],
  ])("after %s %j is neither written nor edited until it is read again", async (name, args) => {
    using home = temporaryDirectory();
    const { path, run } = ground(home.path, "one\nthree\n");
    await run(name, args);
    writeFileSync(path, "the user's\n");
    expect(await run("write_file", { content: "mine" })).toBe("the user's\n");
    expect(await run("fs.write", { content: "mine" })).toBe("the user's\n");
    expect(await run("edit_file", { edits: [{ old: "the", new: "my" }] })).toBe("the user's\n");
    await run("read_file", {});
    expect(await run("write_file", { content: "mine" })).toBe("mine");
  });

  test("is written if it is the same, however often the agent was opened", async () => {
    using home = temporaryDirectory();
    const { path, run } = ground(home.path, "one\n");
    await run("read_file", {});
    utimesSync(path, 1, 1);
    expect(await run("edit_file", { edits: [{ old: "one", new: "two" }] })).toBe("two\n");
    expect(await run("write_file", { content: "three" })).toBe("three");
  });

  test("that was read in part is written if it is unchanged", async () => {
    using home = temporaryDirectory();
    const { run } = ground(home.path, LONG);
    await run("read_file", {});
    expect(await run("write_file", { content: "short" })).toBe("short");
  });

  test("is not overwritten if it was read again after a prompt that had read it was taken back", async () => {
    using home = temporaryDirectory();
    const { path, run, open } = ground(home.path, "one\n");
    const reading = (id: string): readonly Reply[] => [
      { calls: [{ id, name: "read_file", arguments: { path: "a.txt" } }] },
      { text: "done" },
    ];
    const agent = await open([...reading("first"), ...reading("second")]);
    await Array.fromAsync(agent.session().prompt("Read"));
    await agent.session().undo();
    await Array.fromAsync(agent.session().prompt("Read"));
    await agent.close();
    writeFileSync(path, "the user's\n");
    expect(await run("write_file", { content: "mine" })).toBe("the user's\n");
  });

  test("is written once the prompt that read it is taken back", async () => {
    using home = temporaryDirectory();
    const { path, run, open } = ground(home.path, "one\n");
    await run("read_file", {});
    writeFileSync(path, "the user's\n");
    const agent = await open([]);
    await agent.session().undo();
    await agent.close();
    expect(await run("write_file", { content: "mine" })).toBe("mine");
  });
});

test("a file that an undo restored is written again by the same process", async () => {
  using home = temporaryDirectory();
  const { path, open } = ground(home.path, "one\n");
  const writing = (id: string): readonly Reply[] => [
    { calls: [{ id, name: "write_file", arguments: { path: "a.txt", content: id } }] },
    { text: "done" },
  ];
  const agent = await open([...writing("first"), ...writing("second")]);
  await Array.fromAsync(agent.session().prompt("Write"));
  expect(await agent.session().undo()).toMatchObject({ files: [{ path, outcome: "restored" }] });
  await Array.fromAsync(agent.session().prompt("Write"));
  await agent.close();
  expect(readFileSync(path, "utf8")).toBe("second");
});

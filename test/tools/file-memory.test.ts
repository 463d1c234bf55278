import { describe, expect, test } from "bun:test";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtinTools, executeTool } from "@mdx-ai/tools";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { textOf, toolContext } from "../support/tool-context.ts";

/** The tools for files of one agent, in a folder with a file; `session` is the session in which they are called. */
function tools(folder: string) {
  const [read, write, edit] = builtinTools({ environment: {} }, ["read_file", "write_file", "edit_file"]);
  if (!read || !write || !edit) throw new Error("no tools");
  const call = async (tool: typeof read, args: Parameters<typeof executeTool>[1], session: string) =>
    textOf(await executeTool(tool, { path: "a.txt", ...args }, { ...toolContext(folder), sessionId: session }));
  return {
    read: (session = "main", args = {}) => call(read, args, session),
    write: (content: string, session = "main") => call(write, { content }, session),
    edit: (old: string, text: string) => call(edit, { edits: [{ old, new: text }] }, "main"),
  };
}

const CHANGED = "has changed since you last read or wrote it: read it again";

describe("a file that others change", () => {
  test("after it was read is neither written nor edited until it is read again", async () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "a.txt");
    writeFileSync(path, "one\n");
    const { read, write, edit } = tools(folder.path);
    await read();
    writeFileSync(path, "other\n");
    expect(await write("mine")).toContain(CHANGED);
    expect(await edit("other", "mine")).toContain(CHANGED);
    expect(readFileSync(path, "utf8")).toBe("other\n");
    await read();
    expect(await edit("other", "mine")).toContain("1 replacement");
    expect(await write("more")).toContain("replaced");
  });

  test("after it was written or edited is not overwritten", async () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "a.txt");
    const { write, edit } = tools(folder.path);
    await write("one");
    writeFileSync(path, "two");
    expect(await write("three")).toContain(CHANGED);
    expect(await edit("two", "three")).toContain(CHANGED);
  });

  test("is written by a session that has not read it", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "a.txt"), "one");
    const { read, write } = tools(folder.path);
    await read();
    writeFileSync(join(folder.path, "a.txt"), "two");
    expect(await write("three", "other")).toContain("replaced");
  });

  test("counts as the same if only its time differs", async () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "a.txt");
    writeFileSync(path, "one");
    const { read, write } = tools(folder.path);
    await read();
    utimesSync(path, 1, 1);
    expect(await write("two")).toContain("replaced");
  });

  test("is compared by size and time if a part of it was read", async () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "a.txt");
    writeFileSync(path, "one\ntwo\n");
    const { read, write } = tools(folder.path);
    await read("main", { limit: 1 });
    writeFileSync(path, "one\nthree\n");
    expect(await write("two")).toContain(CHANGED);
  });
});

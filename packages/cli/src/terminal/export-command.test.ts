import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { writeText } from "../../../../test/support/agent-files.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { runExport } from "./take-out-commands.ts";

/** A user who stands in a folder of their own, with an agent that has answered once. */
async function user(prompts: readonly string[] = ["Say hello"]) {
  const agent = agentDirectory();
  const here = temporaryDirectory();
  const open = await openScriptAgent(
    agent.path,
    prompts.map(() => ({ text: "Hello, the key is topsecret." })),
  );
  for (const prompt of prompts) await Array.fromAsync(open.session().prompt(prompt));
  await open.close();
  const run = (words: string, isKept = true): string =>
    runExport(words, {
      ...{
        dataDir: isKept ? agent.path : undefined,
        current: "main",
        currentDirectory: here.path,
        home: join(here.path, "home"),
      },
      redact: (text) => text.replaceAll("topsecret", "[redacted]"),
    });
  return {
    here: here.path,
    run,
    [Symbol.dispose]: () => {
      agent[Symbol.dispose]();
      here[Symbol.dispose]();
    },
  };
}

describe("/export", () => {
  test("writes Markdown beside the user, under a new name each time, readable by its owner alone", async () => {
    using person = await user();
    expect(person.run("")).toBe(`Written: ${join(person.here, "main.md")}`);
    expect(person.run("")).toBe(`Written: ${join(person.here, "main-2.md")}`);
    const text = readFileSync(join(person.here, "main.md"), "utf8");
    expect(text).toStartWith("# Session main\n");
    expect(text).toContain("> Say hello");
    expect(text).toContain("the key is [redacted]");
    expect(statSync(join(person.here, "main.md")).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["talk.json", '{\n  "state": "readable",\n  "id": "main"'],
    ["talk.HTML", "<!doctype html>"],
    ["talk.jsonl", "{"],
    ["my talk.txt", "# Session main"],
  ])("writes %s in the format of its name", async (name, start) => {
    using person = await user();
    expect(person.run(name)).toBe(`Written: ${join(person.here, name)}`);
    expect(readFileSync(join(person.here, name), "utf8").toLowerCase()).toStartWith(start.toLowerCase());
  });

  test("never overwrites a file, and finds the home folder", async () => {
    using person = await user();
    writeText(join(person.here, "home/talk.md"), "mine");
    expect(() => person.run("~/talk.md")).toThrow("already exists");
    expect(readFileSync(join(person.here, "home/talk.md"), "utf8")).toBe("mine");
    expect(person.run("~/other.md")).toBe(`Written: ${join(person.here, "home/other.md")}`);
  });

  test("writes nothing before the first prompt, or where no session is kept", async () => {
    using person = await user([]);
    expect(person.run("")).toBe("There is nothing to export yet.");
    expect(person.run("", false)).toContain("keeps no session");
    expect(readdirSync(person.here)).toStrictEqual([]);
  });
});

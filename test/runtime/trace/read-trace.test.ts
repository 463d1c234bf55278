import { expect, test } from "bun:test";
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { JournalError, readTrace, SessionIdError } from "@mdx-ai/runtime";
import { writeFiles } from "../../support/agent-files.ts";
import { userMessage } from "../../support/model-request.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const line = (prompt: number): string =>
  JSON.stringify({ v: 1, prompt, step: "user", result: userMessage(`grüß ${prompt}`) });

test("a trace passes over a line that is being written, names damaged ones, and changes nothing", async () => {
  using folder = temporaryDirectory();
  const journal = `${line(1)}\nnonsense\n${line(2)}\r\n\n{"v":99}\n${line(3).slice(0, -4)}`;
  writeFiles(folder.path, { "sessions/main/journal.jsonl": journal, "sessions/main/lock": "held" });
  const trace = await readTrace(folder.path, "main");
  expect(trace?.prompts.map(({ input }) => input)).toStrictEqual(["grüß 1", "grüß 2"]);
  expect(trace?.unreadableLines).toStrictEqual([2, 4, 5]);
  expect(readFileSync(join(folder.path, "sessions/main/journal.jsonl"), "utf8")).toBe(journal);
  expect(readdirSync(join(folder.path, "sessions/main")).sort()).toStrictEqual(["journal.jsonl", "lock"]);
});

test("older journals are read before the one that is written, the tenth after the ninth, each file once", async () => {
  using folder = temporaryDirectory();
  const main = "sessions/main";
  writeFiles(folder.path, {
    [`${main}/journal-0010.jsonl`]: `${line(3)}\n`,
    [`${main}/journal-0009.jsonl`]: `${line(2)}\n`,
    [`${main}/journal-10000.jsonl`]: `${line(4)}\n`,
    [`${main}/journal-1.jsonl`]: `${line(7)}\n`,
    [`${main}/journal-0002.jsonl.bak`]: `${line(8)}\n`,
    [`${main}/journal.jsonl`]: `${line(5)}\nodd\n`,
  });
  linkSync(join(folder.path, main, "journal.jsonl"), join(folder.path, main, "journal-10001.jsonl"));
  const trace = await readTrace(folder.path, "main");
  expect(trace?.prompts.map(({ input }) => input)).toStrictEqual(["grüß 2", "grüß 3", "grüß 4", "grüß 5"]);
  expect(trace?.damage).toStrictEqual([{ file: "journal.jsonl", line: 2 }]);
});

test.each(["sessions", "sessions/main", "sessions/main/journal.jsonl", "sessions/main/journal-0001.jsonl"])(
  "a symbolic link at %s is not followed",
  async (place) => {
    using folder = temporaryDirectory();
    const [agent, elsewhere] = [join(folder.path, "agent"), join(folder.path, "elsewhere")];
    writeFiles(agent, { "sessions/main/journal.jsonl": `${line(1)}\n`, "sessions/main/journal-0001.jsonl": "" });
    renameSync(join(agent, place), elsewhere);
    symlinkSync(elsewhere, join(agent, place));
    await expect(readTrace(agent, "main")).rejects.toThrow("is a symbolic link, which is not followed");
    await expect(readTrace(agent, "main")).rejects.toThrow(JournalError);
  },
);

test("there is no trace of a session that is not there, and an empty one has no prompts", async () => {
  using folder = temporaryDirectory();
  expect(await readTrace(folder.path, "main")).toBeUndefined();
  expect(readdirSync(folder.path)).toStrictEqual([]);
  writeFiles(folder.path, { "sessions/main/journal.jsonl": "" });
  expect((await readTrace(folder.path, "main"))?.prompts).toStrictEqual([]);
});

test("what cannot be read is a JournalError, and an id that is no name a SessionIdError", async () => {
  using folder = temporaryDirectory();
  mkdirSync(join(folder.path, "sessions/main/journal.jsonl"), { recursive: true });
  await expect(readTrace(folder.path, "main")).rejects.toThrow(JournalError);
  await expect(readTrace(folder.path, "../main")).rejects.toThrow(SessionIdError);
});

import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { JournalError } from "@mdx-ai/sessions";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { openJournalFile } from "./journal.ts";

test("a line is in the file as soon as it is appended, and the file is its owner's alone", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const journal = openJournalFile(path);
  journal.append({ v: 1, prompt: 1, step: "begin", result: "héllo\n" });
  expect(readFileSync(path, "utf8")).toBe('{"v":1,"prompt":1,"step":"begin","result":"héllo\\n"}\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  journal.close();
});

test("syncs of one moment all resolve, again and again", async () => {
  using directory = temporaryDirectory();
  const journal = openJournalFile(join(directory.path, "journal.jsonl"));
  for (let round = 0; round < 20; round++) {
    journal.append({ v: 1, prompt: 1, step: `model:${round}`, result: round });
    await Promise.all([journal.sync(), journal.sync(), journal.sync()]);
  }
  journal.close();
  expect(readFileSync(join(directory.path, "journal.jsonl"), "utf8").split("\n")).toHaveLength(21);
});

test("a journal that is closed refuses lines, since its descriptor may be another file's by now", () => {
  using directory = temporaryDirectory();
  const journal = openJournalFile(join(directory.path, "journal.jsonl"));
  journal.close();
  journal.close();
  expect(() => journal.append({ v: 1, prompt: 1, step: "begin", result: 1 })).toThrow(JournalError);
});

test("a place that cannot be written is a JournalError that names it", () => {
  using directory = temporaryDirectory();
  expect(() => openJournalFile(join(directory.path, "missing", "journal.jsonl"))).toThrow(JournalError);
});

test.skipIf(process.platform !== "linux")(
  "of a line that does not fit whole nothing stays, the lines before it do, and the next one that fits goes on",
  async () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, "journal.jsonl");
    const program = `
      const { openJournalFile } = await import(${JSON.stringify(join(import.meta.dir, "journal.ts"))});
      const journal = openJournalFile(${JSON.stringify(path)});
      const append = (size) => journal.append({ v: 1, prompt: 1, step: "begin", result: "x".repeat(size) });
      append(100);
      try { append(10_000); } catch (error) { console.log(error.name + ": " + error.message); }
      append(200);
      await journal.sync();
      journal.close();
    `;
    const child = Bun.spawn(["bash", "-c", `ulimit -f 4; exec "$0" -e "$1"`, process.execPath, program], {
      stdout: "pipe",
    });
    expect(await child.stdout.text()).toBe(
      `JournalError: cannot write ${path}, but earlier lines are not lost: ` +
        "the file may not grow further (file-size limit) (EFBIG); raise the limit, then try again\n",
    );
    const sizes = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(sizes.map((line) => JSON.parse(line).result.length)).toEqual([100, 200]);
  },
);

test("a torn line is not removed if another process has written meanwhile, and nothing is added to it", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const program = `
    const { appendFileSync } = await import("node:fs");
    const { openJournalFile } = await import(${JSON.stringify(join(import.meta.dir, "journal.ts"))});
    const journal = openJournalFile(${JSON.stringify(path)});
    const append = (size) => journal.append({ v: 1, prompt: 1, step: "begin", result: "x".repeat(size) });
    append(100);
    appendFileSync(${JSON.stringify(path)}, "of somebody else\\n");
    for (const size of [10_000, 10]) try { append(size); } catch (error) { console.log(error.message); }
  `;
  const child = Bun.spawn(["bash", "-c", `ulimit -f 4; exec "$0" -e "$1"`, process.execPath, program], {
    stdout: "pipe",
  });
  expect(await child.stdout.text()).toMatch(/EFBIG.*\n.*an earlier line was not written whole\n$/);
  expect(readFileSync(path, "utf8")).toMatch(
    /^\{.*\}\nof somebody else\n\{"v":1,"prompt":1,"step":"begin","result":"x+$/,
  );
});

test("a sync of a journal that is closed is refused, and one that has begun is done before it closes", async () => {
  using directory = temporaryDirectory();
  const journal = openJournalFile(join(directory.path, "journal.jsonl"));
  journal.append({ v: 1, prompt: 1, step: "begin", result: 1 });
  const begun = journal.sync();
  journal.close();
  expect(await begun).toBeUndefined();
  const other = openJournalFile(join(directory.path, "other.jsonl"));
  other.append({ v: 1, prompt: 1, step: "begin", result: 1 });
  other.close();
  await expect(other.sync()).rejects.toThrow("it is closed");
});

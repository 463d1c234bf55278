import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { JournalError } from "../../../packages/runtime/src/journal/journal-error.ts";
import { openJournalFile } from "../../../packages/runtime/src/journal/journal-file.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

test("a line is in the file as soon as it is appended, and the file is its owner's alone", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const journal = openJournalFile(path);
  journal.append({ v: 1, prompt: 1, step: "user", result: "héllo\n" });
  expect(readFileSync(path, "utf8")).toBe('{"v":1,"prompt":1,"step":"user","result":"héllo\\n"}\n');
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
  expect(() => journal.append({ v: 1, prompt: 1, step: "user", result: 1 })).toThrow(JournalError);
});

test("a place that cannot be written is a JournalError that names it", () => {
  using directory = temporaryDirectory();
  expect(() => openJournalFile(join(directory.path, "missing", "journal.jsonl"))).toThrow(JournalError);
});

test.skipIf(!existsSync("/dev/full"))(
  "after a line that was not written whole none is added, which would make both unreadable",
  () => {
    const journal = openJournalFile("/dev/full");
    const append = (): void => journal.append({ v: 1, prompt: 1, step: "user", result: 1 });
    expect(append).toThrow("ENOSPC");
    expect(append).toThrow("a line before was not written whole");
    journal.close();
  },
);

test("a sync of a journal that is closed is refused, and one that has begun is done before it closes", async () => {
  using directory = temporaryDirectory();
  const journal = openJournalFile(join(directory.path, "journal.jsonl"));
  journal.append({ v: 1, prompt: 1, step: "user", result: 1 });
  const begun = journal.sync();
  journal.close();
  expect(await begun).toBeUndefined();
  const other = openJournalFile(join(directory.path, "other.jsonl"));
  other.append({ v: 1, prompt: 1, step: "user", result: 1 });
  other.close();
  await expect(other.sync()).rejects.toThrow("it is closed");
});

import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { draftName, makeTemporaryFolder, removeTempFiles } from "./drafts.ts";

const UUID = "5b0d0bd0-0000-4000-8000-000000000000";

/** What a process of this machine calls a draft. */
const leftBy = (pid: number, name: string): string => draftName(name).replace(`-${process.pid}-`, `-${pid}-`);

test("what processes that have ended left goes; what others still use stays", async () => {
  using directory = temporaryDirectory();
  const dead = Bun.spawn(["true"]);
  await dead.exited;
  const own = draftName("own");
  const elsewhere = `elsewhere.abc-${dead.pid}-${UUID}.tmp`;
  for (const name of [own, leftBy(dead.pid, "left"), elsewhere, "journal.jsonl"])
    writeFileSync(join(directory.path, name), "");
  removeTempFiles(directory.path);
  expect(readdirSync(directory.path).sort()).toStrictEqual([elsewhere, "journal.jsonl", own].sort());
  utimesSync(join(directory.path, elsewhere), 0, 0);
  removeTempFiles(directory.path);
  expect(readdirSync(directory.path).sort()).toStrictEqual(["journal.jsonl", own].sort());
});

test("where users give names, none of theirs is taken for a draft", async () => {
  using directory = temporaryDirectory();
  const dead = Bun.spawn(["true"]);
  await dead.exited;
  const name = leftBy(dead.pid, "job").replace(/\.tmp$/, "");
  for (const one of [name, leftBy(dead.pid, ".fork")]) mkdirSync(join(directory.path, one));
  removeTempFiles(directory.path, ".");
  expect(readdirSync(directory.path)).toEqual([name]);
});

test("a temporary folder is made elsewhere if the system's cannot be written", () => {
  const before = process.env["TMPDIR"];
  try {
    process.env["TMPDIR"] = "/nowhere/tmp";
    const folder = makeTemporaryFolder("mdx-ai-test-");
    expect(["/var/tmp", "/dev/shm"]).toContain(dirname(folder));
    expect(statSync(folder).mode & 0o077).toBe(0);
    rmSync(folder, { recursive: true });
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
});

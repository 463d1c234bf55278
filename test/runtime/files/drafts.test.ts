import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { draftName, sweepDrafts } from "../../../packages/runtime/src/files/drafts.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const UUID = "5b0d0bd0-0000-4000-8000-000000000000";

test("what processes that have ended left goes; what others still use stays", async () => {
  using directory = temporaryDirectory();
  const dead = Bun.spawn(["true"]);
  await dead.exited;
  const own = draftName("own");
  for (const name of [own, `left.${dead.pid}-${UUID}.tmp`, "journal.jsonl"])
    writeFileSync(join(directory.path, name), "");
  sweepDrafts(directory.path);
  expect(readdirSync(directory.path).sort()).toEqual(["journal.jsonl", own].sort());
});

test("where users give names, none of theirs is taken for a draft", async () => {
  using directory = temporaryDirectory();
  const dead = Bun.spawn(["true"]);
  await dead.exited;
  const name = `job.${dead.pid}-${UUID}`;
  for (const one of [name, `.fork.${dead.pid}-${UUID}.tmp`]) mkdirSync(join(directory.path, one));
  sweepDrafts(directory.path, ".");
  expect(readdirSync(directory.path)).toEqual([name]);
});

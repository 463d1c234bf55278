import { expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { surroundingsIn } from "../../../../test/support/front-end.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { pruneVersions } from "./prune-versions.ts";

const [KEPT, GONE] = ["a".repeat(64), "b".repeat(64)];

test("a version that is removed has no record any more before its trust and its files go, so that no rollback returns to it", async () => {
  using folder = temporaryDirectory();
  const versions = join(folder.path, "versions");
  writeFiles(versions, Object.fromEntries([KEPT, GONE].flatMap((version) => [[`${version}.json`, "{}"], [`${version}/agent.mdx`, "x"]]))); // biome-ignore format: short
  // The list of trusted directories cannot be written, as if the process was killed there.
  const blocked = join(folder.path, "state");
  writeFileSync(blocked, "");
  const frontEnd = { ...surroundingsIn(folder.path), environment: { HOME: folder.path, XDG_STATE_HOME: blocked } };
  await expect(pruneVersions(folder.path, [KEPT], frontEnd)).rejects.toThrow();
  expect(readdirSync(versions).toSorted()).toEqual([KEPT, `${KEPT}.json`, GONE]);
  expect(existsSync(join(versions, GONE, "agent.mdx"))).toBe(true);
});

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { attempt, VERSIONS_FOLDER } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import type { FrontEnd } from "../front-end.ts";
import { isVersionInUse } from "../installed-agents.ts";
import { forgetTrusted } from "../trust/trust-state.ts";
import { removeRecord } from "./installed-version.ts";
import { removeTree } from "./read-only-tree.ts";

/**
 * Removes the versions of an added agent that are neither kept nor open in a running process. What cannot be removed stays for the next time.
 * Rejects with a file system error of the list of trusted directories.
 */
export async function pruneVersions(
  home: string,
  kept: readonly (string | undefined)[],
  frontEnd: FrontEnd,
): Promise<void> {
  const folder = join(home, VERSIONS_FOLDER);
  const names = attempt(() => readdirSync(folder)) ?? [];
  const versions = [...new Set(names.flatMap((name) => /^[0-9a-f]{64}/.exec(name)?.[0] ?? []))];
  const gone = versions.filter((version) => !kept.includes(version) && !isVersionInUse(join(folder, version), names));
  if (gone.length === 0) return;
  // First, so that a rollback never returns to a version that is only half removed.
  for (const version of gone) attempt(() => removeRecord(home, version));
  await forgetTrusted(gone.map((version) => realPathOrSame(join(folder, version))), frontEnd); // biome-ignore format: short
  for (const name of names.filter((each) => gone.some((version) => each.startsWith(version)))) {
    attempt(() => removeTree(join(folder, name)));
    attempt(() => rmSync(join(folder, name), { force: true }));
  }
}

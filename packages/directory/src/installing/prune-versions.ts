import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { attempt, VERSIONS_FOLDER } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import { type FrontEnd, warn } from "../front-end.ts";
import { isVersionInUse } from "../installed-agents.ts";
import { changeTrustFile } from "../trust/trust-file.ts";
import { usableTrustFile } from "../trust/trust-state.ts";
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
  const gone = versions.filter((version) => !kept.includes(version) && !isVersionInUse(join(folder, version)));
  if (gone.length === 0) return;
  await withdrawTrust(gone.map((version) => realPathOrSame(join(folder, version))), frontEnd); // biome-ignore format: short
  for (const name of names.filter((each) => gone.some((version) => each.startsWith(version)))) {
    attempt(() => removeTree(join(folder, name)));
    attempt(() => rmSync(join(folder, name), { force: true }));
  }
}

/** Removes paths, and all below them, from the list of trusted directories. */
export async function withdrawTrust(paths: readonly string[], frontEnd: FrontEnd): Promise<void> {
  const file = usableTrustFile(paths[0] ?? "/", frontEnd);
  if (file === undefined) return;
  const isGone = (path: string): boolean => paths.some((one) => path === one || path.startsWith(`${one}/`));
  const withdraw = (trusted: Map<string, unknown>): void => {
    for (const path of [...trusted.keys()]) if (isGone(path)) trusted.delete(path);
  };
  await changeTrustFile(file, withdraw, warn(frontEnd));
}

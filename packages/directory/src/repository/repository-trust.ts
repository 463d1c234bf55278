import { type FrontEnd, warn } from "../front-end.ts";
import { type Change, difference } from "../manifest/difference.ts";
import { entriesHash } from "../manifest/manifest.ts";
import { readTrustFile, repositoryName } from "../trust/trust-file.ts";
import { keepTrust, usableTrustFile } from "../trust/trust-state.ts";
import type { RepositoryParts } from "./repository-parts.ts";

/** What the user said of what a repository holds for agents. */
export interface RepositoryTrust {
  /** The answer to its current state; absent if it was not asked about. */
  readonly answer?: "yes" | "no";
  /** The changes since the user agreed; empty if the user never did. */
  readonly changes: readonly Change[];
  /** Whether an answer can be kept. */
  readonly canKeep: boolean;
}

export function repositoryTrust({ root, entries }: RepositoryParts, frontEnd: FrontEnd): RepositoryTrust {
  const file = usableTrustFile(root, frontEnd);
  const record = file === undefined ? undefined : readTrustFile(file, warn(frontEnd)).get(repositoryName(root));
  const canKeep = file !== undefined;
  if (record?.hash === entriesHash(entries)) {
    return { answer: record.isRefused === true ? "no" : "yes", changes: [], canKeep };
  }
  const isAgreed = record !== undefined && record.isRefused !== true;
  return { changes: isAgreed ? difference(record.entries, entries) : [], canKeep };
}

/** Keeps the answer until what the repository holds changes. Rejects with a file system error. */
export async function keepRepositoryTrust(
  { root, entries }: RepositoryParts,
  answer: "yes" | "no",
  frontEnd: FrontEnd,
): Promise<void> {
  const file = usableTrustFile(root, frontEnd);
  if (file === undefined) return;
  const refusal = answer === "no" ? { isRefused: true as const } : {};
  const record = { since: new Date().toISOString(), hash: entriesHash(entries), ...refusal, entries };
  await keepTrust({ file, path: repositoryName(root), record }, frontEnd);
}

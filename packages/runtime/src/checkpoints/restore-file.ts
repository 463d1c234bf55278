import { fchmodSync } from "node:fs";
import { rm } from "node:fs/promises";
import { errorMessage } from "@mdx-ai/base";
import { replaceFile, writeContent } from "@mdx-ai/base/disk";
import type { KeptContent } from "@mdx-ai/loop";
import {
  currentHash,
  type FileChange,
  isAsBefore,
  isAsLeft,
  type KeptContents,
  type RestoredFile,
} from "@mdx-ai/sessions";
import { type WritableTarget, withWritableTarget } from "@mdx-ai/tools";

interface Restoring {
  readonly contents: KeptContents;
  /** Whether to restore a file that has changed since. */
  readonly force: boolean;
}

/**
 * Restores the earlier content of a file, or removes a file that did not exist. Leaves the file if that content is not known, if the file has
 * changed since, or if it cannot be written. Idempotent. Never rejects.
 */
export async function restoreFile(change: FileChange, how: Restoring): Promise<RestoredFile> {
  const { path, before } = change;
  const left = (reason: string) => ({ path, outcome: "left", reason }) as const;
  if (before.state === "left_out") return left(`its earlier content was not kept: ${before.reason}`);
  const current = currentHash(path);
  if (isAsBefore(before, current)) return { path, outcome: "unchanged" };
  if (!how.force && !isAsLeft(change, current)) return left(changedText(before, how.contents));
  try {
    return (await write(path, before, how)) ?? left("its earlier content is lost");
  } catch (error) {
    return left(errorMessage(error));
  }
}

/** The reason, with the path of the stored earlier content. */
const changedText = (before: KeptContent, contents: KeptContents): string =>
  before.state === "kept"
    ? `it has changed since; its earlier content is in ${contents.pathOf(before.address)}`
    : "it has changed since";

/** Rejects with `FileToolError` if the path now leads elsewhere, or with the file system's error. */
async function write(
  path: string,
  before: Exclude<KeptContent, { state: "left_out" }>,
  { contents }: Restoring,
): Promise<RestoredFile | undefined> {
  const file = { path, permitted: path };
  if (before.state === "absent") {
    await withWritableTarget(file, (target) => rm(target.path));
    return { path, outcome: "removed" };
  }
  const content = contents.contentOf(before.address);
  if (content === undefined) return undefined;
  await withWritableTarget(file, (target) => replace(target, content, before.mode));
  return { path, outcome: "restored" };
}

const replace = ({ path }: WritableTarget, content: Buffer, mode: number): Promise<void> =>
  replaceFile({
    path,
    fill: async (draft) => {
      await writeContent(draft, content);
      fchmodSync(draft, mode);
    },
  });

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { failureText, foldersFrom, isList, isRecord, isWithin, lineText } from "@mdx-ai/base";
import { readBytes, readOpened, realPathOrSame } from "@mdx-ai/base/disk";
import type { RepositoryNotes } from "../types/memory.ts";

/** The file names, in order: the first that exists in a folder is used. */
const NAMES: readonly string[] = ["AGENTS.md", "CLAUDE.md"];

/** The maximum bytes that a model receives from all files together: 64 KiB. */
const SENT_BYTES = 65_536;

export interface RepositoryReading {
  /** Why a file (an absolute real path) must not be shown; undefined if it may be. */
  whyHidden(path: string): string | undefined;
  /** Receives one line for each file that is left out. */
  readonly onWarning: (message: string) => void;
}

/**
 * Reads the agent instructions in the folders from the root of a workspace's repository down to the workspace, outermost first. If they are too
 * long, the nearest folders have priority, and files are cut at the end. An entry that is not a regular file, is not UTF-8 or is a
 * link that leads outside the repository is left out with a warning. Never throws.
 */
export function readRepositoryNotes(workspace: string, reading: RepositoryReading): readonly RepositoryNotes[] {
  const folder = realPathOrSame(workspace);
  const above = foldersFrom(folder);
  const root = above.find((one) => isRepository(one, folder)) ?? folder;
  const notes: RepositoryNotes[] = [];
  let left = SENT_BYTES;
  for (const one of above.filter((candidate) => isWithin(root, candidate))) {
    const path = NAMES.map((name) => join(one, name)).find(isThere);
    const found = path === undefined ? undefined : readNotes(path, { root, left, ...reading });
    if (found === undefined) continue;
    notes.unshift(found);
    left -= found.size - found.omitted;
  }
  return notes;
}

/** As git does, ignores another user's repository, such as one that any user can create in `/tmp` around a workspace. */
function isRepository(folder: string, workspace: string): boolean {
  const owner = ownerOf(join(folder, ".git"));
  return owner !== undefined && [process.getuid?.(), ROOT, ownerOf(workspace)].includes(owner);
}

const ownerOf = (path: string): number | undefined => lstatSync(path, { throwIfNoEntry: false })?.uid;

const ROOT = 0;

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

interface NotesLimits extends RepositoryReading {
  /** The root of the repository. An absolute real path. */
  readonly root: string;
  /** Bytes that may still be sent. */
  readonly left: number;
}

function readNotes(path: string, { root, left, whyHidden, onWarning }: NotesLimits): RepositoryNotes | undefined {
  const leaveOut = (why: string): undefined => void onWarning(`the model does not receive ${path}: ${lineText(why)}`);
  const real = realPathOrSame(path);
  if (!isWithin(root, real)) return leaveOut("it is a symbolic link that leads outside the repository");
  const hidden = whyHidden(real);
  if (hidden !== undefined) return leaveOut(hidden);
  try {
    return readOpened(real, (descriptor, { size }) => {
      const bytes = readBytes(descriptor, 0, Math.min(size, left));
      const text = textOf(bytes);
      if (text === undefined) return leaveOut("it is not UTF-8");
      const sent = Buffer.byteLength(text);
      if (sent < size) onWarning(`the model does not receive the last ${size - sent} bytes of ${path}`);
      return { path, text, size, omitted: size - sent };
    });
  } catch (error) {
    return leaveOut(failureText(error));
  }
}

/** Decodes bytes without a character that is cut at the end; undefined if they are not UTF-8. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

/** Whether a value that came out of JSON is a list of `RepositoryNotes`. */
export const isRepositoryNotes = (value: unknown): value is readonly RepositoryNotes[] => isList(value, isNotes);

const isNotes = (value: unknown): value is RepositoryNotes =>
  isRecord(value) &&
  [value["path"], value["text"]].every((text) => typeof text === "string") &&
  [value["size"], value["omitted"]].every((count) => typeof count === "number");

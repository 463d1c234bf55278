import {
  closeSync,
  fsync,
  fsyncSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFile,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { attempt } from "../errors/attempt.ts";
import { errorCode } from "../errors/system-error.ts";
import { draftName } from "./drafts.ts";

/** How many characters of a file's name its temporary name repeats: a longer name could be too long for the file system. */
const KEPT_NAME = 100;

interface Replacement {
  /** Absolute. If it is a symbolic link, the link itself is replaced. */
  readonly path: string;
  /** The mode of the new file before the user's mask. Default: 0o600. */
  readonly mode?: number;
}

interface AsyncReplacement extends Replacement {
  /** Fills the new file, which is open under a temporary name. */
  readonly fill: (draft: number) => Promise<void>;
  /** Whether a power cut may leave an empty file, since nothing is synced. */
  readonly isDispensable?: boolean;
}

/**
 * Replaces or creates a file atomically: a reader sees the old or the new file, and a crash or a power cut leaves one of them
 * complete. The new file is written beside it, synced and renamed; then its folder is synced. Also replaces an empty folder,
 * which may be a sandbox's placeholder. Rejects with the error of `fill` or of the system, and leaves no temporary file.
 */
export async function replaceFile({
  path,
  mode = 0o600,
  fill,
  isDispensable = false,
}: AsyncReplacement): Promise<void> {
  const draft = draftPath(path);
  try {
    const descriptor = openSync(draft, "wx", mode);
    try {
      await fill(descriptor);
      // Without the sync, a power cut can leave the new name on an empty file.
      if (!isDispensable) await synced(descriptor);
    } finally {
      closeSync(descriptor);
    }
    publish(draft, path);
  } catch (error) {
    // The reason it was not written matters more than a draft that may be left.
    attempt(() => rmSync(draft, { force: true }));
    throw error;
  }
  if (!isDispensable) await syncFolder(dirname(path));
}

/** Writes the content of a new, open file without blocking this thread. Rejects with the system's error. */
export const writeContent: (descriptor: number, content: string | Uint8Array) => Promise<void> = promisify(writeFile);

const synced: (descriptor: number) => Promise<void> = promisify(fsync);

interface SyncReplacement extends Replacement {
  /** The text, or its pieces in order. */
  readonly text: string | Iterable<string>;
  /** Whether a power cut may leave an empty file, since nothing is synced: for files that are rebuilt if lost. */
  readonly isDispensable?: boolean;
  /** Called with the path of the new file when it is on disk, before it replaces the old one. A throw cancels the replacement. */
  readonly beforeRename?: (draft: string) => void;
}

/** Like `replaceFile`, synchronously. Throws the error of `beforeRename` or of the system. */
export function replaceFileSync(replacement: SyncReplacement): void {
  const { path, mode = 0o600, text, isDispensable = false, beforeRename } = replacement;
  const draft = draftPath(path);
  try {
    const descriptor = openSync(draft, "wx", mode);
    try {
      for (const piece of typeof text === "string" ? [text] : text) writeFileSync(descriptor, piece);
      if (!isDispensable) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    beforeRename?.(draft);
    publish(draft, path);
  } catch (error) {
    // The reason it was not written matters more than a draft that may be left.
    attempt(() => rmSync(draft, { force: true }));
    throw error;
  }
  if (!isDispensable) syncFolderSync(dirname(path));
}

function publish(draft: string, path: string): void {
  try {
    renameSync(draft, path);
  } catch (error) {
    if (errorCode(error) !== "EISDIR" || attempt(() => rmdirSync(path) ?? true) === undefined) throw error;
    renameSync(draft, path);
  }
}

const draftPath = (path: string): string => join(dirname(path), draftName(`.${basename(path).slice(0, KEPT_NAME)}`));

/** The errors of systems that cannot sync a folder, or not for this user. */
const UNABLE = new Set(["EINVAL", "EISDIR", "EACCES", "EPERM", "EBADF", "ENOTSUP", "EOPNOTSUPP"]);

const ignoreUnable = (error: unknown): void => {
  if (!UNABLE.has(errorCode(error) ?? "")) throw error;
};

/**
 * Resolves when the names in a folder are on disk, so that a new file survives a power cut; at once if the system cannot sync
 * folders. Rejects with the file system's error.
 */
export async function syncFolder(path: string): Promise<void> {
  try {
    // Opened synchronously, so that the disk starts even if this thread becomes busy.
    const descriptor = openSync(path, "r");
    try {
      await synced(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    ignoreUnable(error);
  }
}

/** Like `syncFolder`, synchronously. Throws the file system's error. */
export function syncFolderSync(path: string): void {
  try {
    const descriptor = openSync(path, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    ignoreUnable(error);
  }
}

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

/** Characters of a file's name that the name of its draft repeats: a longer one could be too long for the file system. */
const KEPT_NAME = 100;

interface Replacement {
  /** Absolute. If it is a symbolic link, the link itself is replaced. */
  readonly path: string;
  /** The mode of the new file, less the user's mask; 0o600 if absent. */
  readonly mode?: number;
}

interface AsyncReplacement extends Replacement {
  /** Fills the new file, which is open, while it has another name. */
  readonly fill: (draft: number) => Promise<void>;
  /** Whether a power cut may leave an empty file, since nothing is synced. */
  readonly isDispensable?: boolean;
}

/**
 * Replaces or creates a file so that a reader sees the old one or the new one, and a crash or a power cut leaves one of them
 * whole: the new one is written beside it, synced, and renamed; then its folder is synced. An empty folder is replaced, too: a sandbox
 * may have one in place of a file that its commands must not create. Rejects with what `fill` or the system throws, and leaves no draft.
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
      // Without it a power cut can leave the new name on an empty file.
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

/** Writes the content of a new file, which is open, while this thread goes on. Rejects with what the system says. */
export const writeContent: (descriptor: number, content: string | Uint8Array) => Promise<void> = promisify(writeFile);

const synced: (descriptor: number) => Promise<void> = promisify(fsync);

interface SyncReplacement extends Replacement {
  /** A text, or its pieces in order. */
  readonly text: string | Iterable<string>;
  /** Whether a power cut may leave an empty file, since nothing is synced: for files that are rebuilt if lost. */
  readonly isDispensable?: boolean;
  /** Called with the path of the new file when it is on disk, while the old one still has the name. What it throws ends the replacement. */
  readonly beforeRename?: (draft: string) => void;
}

/** As `replaceFile`, synchronously. Throws what `beforeRename` or the system throws. */
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

/** The errors of systems that cannot sync a folder, or do not let this user. */
const UNABLE = new Set(["EINVAL", "EISDIR", "EACCES", "EPERM", "EBADF", "ENOTSUP", "EOPNOTSUPP"]);

const ignoreUnable = (error: unknown): void => {
  if (!UNABLE.has(errorCode(error) ?? "")) throw error;
};

/**
 * Resolves when the names in a folder are on disk, so that a power cut cannot take a new file away; at once if the system cannot
 * do that. Rejects with what the file system says.
 */
export async function syncFolder(path: string): Promise<void> {
  try {
    // Opened at once, so that the disk begins even if this thread is busy from now on.
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

/** As `syncFolder`, synchronously. Throws what the file system says. */
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

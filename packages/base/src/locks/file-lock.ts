import { linkSync, lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { draftName } from "../disk/drafts.ts";
import { readBytes, readPrivateFile } from "../disk/read-file.ts";
import { attempt } from "../errors/attempt.ts";
import { ifExists, unlessTaken } from "../errors/system-error.ts";
import { holderState, holderText, type LockHolder, parseHolder, thisHolder } from "./lock-holder.ts";

/** Another process holds the lock. */
export class LockHeldError extends Error {
  override readonly name = "LockHeldError";
  readonly holder: LockHolder;

  constructor(path: string, holder: LockHolder) {
    super(`${path} is held by ${holderText(holder)}`);
    this.holder = holder;
  }
}

/** A lock, taken. */
export interface FileLock {
  /**
   * Whether this process still holds it. A process that gave no sign of life for a minute, such as a stopped one, may have lost it to
   * a process on another machine or in another container. Never throws: a lock that cannot be read is not held.
   */
  isHeld(): boolean;
  /** Releases it. Never throws: a lock that cannot be removed is taken over when this process has ended. */
  release(): void;
}

/**
 * Takes a lock, even that of a dead process. `now` is milliseconds since 1970. Throws `LockHeldError`, or what the
 * file system says.
 */
export function takeLock(path: string, now: number): FileLock {
  const own = draftName(path);
  const text = JSON.stringify(thisHolder(now));
  try {
    writeFileSync(own, text, { mode: 0o600, flag: "wx" });
    // A link fails if the name exists, in one atomic step.
    while (!unlessTaken(() => linkSync(own, path))) evictDead(path, changeTime(own));
  } finally {
    // Its failure must not hide why the lock could not be taken.
    attempt(() => rmSync(own, { force: true }));
  }
  return takenLock(path, text);
}

/** The process that holds a lock; undefined if none does, or it has died. Throws what the file system says. */
export function lockHolder(path: string): LockHolder | undefined {
  const seen = readLock(path);
  const holder = seen && parseHolder(seen.text);
  return holder && isAlive(holder, seen, () => fileSystemTime(path)) ? holder : undefined;
}

function takenLock(path: string, text: string): FileLock {
  const endLease = keepLease(path, text);
  const isHeld = (): boolean => attempt(() => readLock(path))?.text === text;
  return {
    isHeld,
    release() {
      endLease();
      // If that fails, the next process takes it over.
      if (isHeld()) attempt(() => rmSync(path, { force: true }));
    },
  };
}

/** Removes the lock of a dead process. The renamed file is read again, since another process may have been faster. */
function evictDead(path: string, now: number): void {
  const seen = readLock(path);
  if (seen === undefined) return;
  const holder = parseHolder(seen.text);
  if (holder && isAlive(holder, seen, () => now)) throw new LockHeldError(path, holder);
  const aside = draftName(path);
  try {
    ifExists(() => renameSync(path, aside));
    const taken = readLock(aside);
    if (taken && (taken.text !== seen.text || taken.changed !== seen.changed)) {
      unlessTaken(() => linkSync(aside, path));
    }
  } finally {
    rmSync(aside, { force: true });
  }
}

interface SeenLock {
  readonly text: string;
  /** By the clock of the file system, in milliseconds since 1970. */
  readonly changed: number;
}

/** Bytes that no lock has: a longer file is no lock, and is taken over like the lock of a dead process. */
const TOO_LONG = 4096;

/** Throws `SymbolicLinkError`, `WrongKindError`, or what the file system says. */
const readLock = (path: string): SeenLock | undefined =>
  ifExists(() => {
    const text = readPrivateFile(path, (descriptor) => readBytes(descriptor, 0, TOO_LONG).toString("utf8"));
    return { text, changed: changeTime(path) };
  });

/** A holder on another machine lives as long as its signs of life continue. `now` is by the clock of the file system. */
function isAlive(holder: LockHolder, { changed }: SeenLock, now: () => number): boolean {
  const state = holderState(holder);
  return state === "elsewhere" ? now() - changed < LEASE : state === "running";
}

const changeTime = (path: string): number => lstatSync(path).mtimeMs;

/** The clock of the file system, which writes the times of locks: that of this machine may differ. */
function fileSystemTime(path: string): number {
  const draft = draftName(path);
  try {
    writeFileSync(draft, "", { mode: 0o600, flag: "wx" });
    return changeTime(draft);
  } catch {
    // Nothing can be written.
    return Date.now();
  } finally {
    attempt(() => rmSync(draft, { force: true }));
  }
}

/** How often a holder shows that it is alive, in milliseconds. */
const INTERVAL = 10_000;

/** How old the last sign of life of a holder elsewhere may be, in milliseconds: it may miss a few. */
export const LEASE = 60_000;

/**
 * Updates the modification time of a lock as a sign of life while it has this text. Does not keep the process alive.
 * The returned function stops it. Never throws: a failed update is tried again the next time.
 */
export function keepLease(path: string, text: string, interval: number = INTERVAL): () => void {
  const timer = setInterval(() => void touch(path, text).catch(() => {}), interval);
  timer.unref();
  return () => clearInterval(timer);
}

/** Rewrites the first byte, so that the time is that of the file system's clock, which all machines share. */
async function touch(path: string, text: string): Promise<void> {
  // Loaded when first needed, as most prompts end before that.
  const { open } = await import("node:fs/promises");
  const file = await open(path, "r+");
  try {
    // The name may be another process's lock now; the open file stays what it is.
    if ((await textOf(file)) === text) await file.write(text.slice(0, 1), 0);
  } finally {
    await file.close();
  }
}

const textOf = (file: FileHandle): Promise<string> => file.readFile("utf8");

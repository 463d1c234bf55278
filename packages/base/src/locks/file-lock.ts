import { linkSync, lstatSync, rmSync, writeFileSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { draftName } from "../disk/drafts.ts";
import { readBytes, readPrivateFile } from "../disk/read-file.ts";
import { type NamedProcess, parseProcess, processState, processText, thisProcess } from "../disk/running-process.ts";
import { attempt } from "../errors/attempt.ts";
import { ifExists, unlessTaken } from "../errors/system-error.ts";

/** Another process holds the lock. */
export class LockHeldError extends Error {
  override readonly name = "LockHeldError";
  readonly holder: NamedProcess;

  constructor(path: string, holder: NamedProcess) {
    super(`${path} is held by ${processText(holder)}`);
    this.holder = holder;
  }
}

/** A lock, taken. */
export interface FileLock {
  /**
   * Whether this process still holds the lock. A process without a heartbeat for a minute, such as a stopped one, may have lost
   * it to a process on another machine or in another container. Never throws: an unreadable lock counts as lost.
   */
  isHeld(): boolean;
  /** Releases the lock. Never throws: a lock that cannot be removed is taken over after this process ends. */
  release(): void;
}

/** Takes a lock, also from a dead process. `now` is milliseconds since 1970. Throws `LockHeldError`, or the file system's error. */
export function takeLock(path: string, now: number): FileLock {
  const own = draftName(path);
  const text = JSON.stringify(thisProcess(now));
  try {
    writeFileSync(own, text, { mode: 0o600, flag: "wx" });
    // A link fails if the name exists, in one atomic step.
    const time = changeTime(own);
    while (!unlessTaken(() => linkSync(own, path))) evictDead(path, time);
    // A process may have been killed while it removed the lock of a dead one.
    attempt(() => evictDead(evictionOf(path), time));
  } finally {
    // A failure here must not hide why the lock could not be taken.
    attempt(() => rmSync(own, { force: true }));
  }
  return takenLock(path, text);
}

/** The process that holds a lock; undefined if none does or it has died. Throws the file system's error. */
export function lockHolder(path: string): NamedProcess | undefined {
  const seen = readLock(path);
  const holder = seen && parseProcess(seen.text);
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

/**
 * Removes the lock of a dead process, one process at a time, and only the lock that it has seen: the lock of a process that was faster stays in
 * its place. Throws `LockHeldError`, also while another process removes it.
 */
function evictDead(path: string, now: number): void {
  const seen = readLock(path);
  if (seen === undefined) return;
  requireDead(path, seen, now);
  const eviction = takeEviction(path, now);
  try {
    const left = readLock(path);
    if (left?.text === seen.text && left.changed === seen.changed) rmSync(path);
  } finally {
    eviction.release();
  }
}

/** A lock gets its name only when it is complete, so an unreadable one is dead. */
function requireDead(path: string, seen: SeenLock, now: number): void {
  const holder = parseProcess(seen.text);
  if (holder && isAlive(holder, seen, () => now)) throw new LockHeldError(path, holder);
}

/** The lock of the process that removes a lock. */
const evictionOf = (path: string): string => `${path}.evict`;

function takeEviction(path: string, now: number): FileLock {
  try {
    return takeLock(evictionOf(path), now);
  } catch (error) {
    throw error instanceof LockHeldError ? new LockHeldError(path, error.holder) : error;
  }
}

interface SeenLock {
  readonly text: string;
  /** By the file system's clock, in milliseconds since 1970. */
  readonly changed: number;
}

/** The largest lock in bytes. A longer file is not a lock, and is taken over like the lock of a dead process. */
const TOO_LONG = 4096;

/** Throws `SymbolicLinkError`, `WrongKindError`, or the file system's error. */
const readLock = (path: string): SeenLock | undefined =>
  ifExists(() => {
    const text = readPrivateFile(path, (descriptor) => readBytes(descriptor, 0, TOO_LONG).toString("utf8"));
    return { text, changed: changeTime(path) };
  });

/** A holder on another machine is alive while its heartbeat continues. `now` is by the file system's clock. */
function isAlive(holder: NamedProcess, { changed }: SeenLock, now: () => number): boolean {
  const state = processState(holder);
  return state === "elsewhere" ? now() - changed < LEASE : state === "running";
}

const changeTime = (path: string): number => lstatSync(path).mtimeMs;

/** The file system's clock, which sets the times of locks; this machine's clock may differ. */
function fileSystemTime(path: string): number {
  const draft = draftName(path);
  try {
    writeFileSync(draft, "", { mode: 0o600, flag: "wx" });
    return changeTime(draft);
  } catch {
    // The folder is not writable.
    return Date.now();
  } finally {
    attempt(() => rmSync(draft, { force: true }));
  }
}

/** The interval of a holder's heartbeat, in milliseconds. */
const INTERVAL = 10_000;

/** The oldest valid heartbeat of a holder elsewhere, in milliseconds; a few may be missed. */
export const LEASE = 60_000;

/**
 * Updates the modification time of a lock as a heartbeat, while the lock has this text. Does not keep the process alive. The
 * returned function stops it. Never throws: a failed update is retried at the next beat.
 */
export function keepLease(path: string, text: string, interval: number = INTERVAL): () => void {
  const timer = setInterval(() => void touch(path, text).catch(() => {}), interval);
  timer.unref();
  return () => clearInterval(timer);
}

/** Rewrites the first byte, so that the file system's clock, which all machines share, sets the time. */
async function touch(path: string, text: string): Promise<void> {
  // Loaded when first needed, as most prompts end before that.
  const { open } = await import("node:fs/promises");
  const file = await open(path, "r+");
  try {
    // The name may belong to another process's lock meanwhile; the open file stays the same.
    if ((await textOf(file)) === text) await file.write(text.slice(0, 1), 0);
  } finally {
    await file.close();
  }
}

const textOf = (file: FileHandle): Promise<string> => file.readFile("utf8");

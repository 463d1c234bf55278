import type { FileHandle } from "node:fs/promises";

/** How often a holder gives a sign of life, in milliseconds. */
const INTERVAL = 10_000;

/** How old the last sign of life of a holder elsewhere may be, in milliseconds: it may miss a few. */
export const LEASE = 60_000;

/**
 * Gives signs of life while a lock has this text: its time of change moves on. Does not keep the process alive.
 * The returned function ends it. Never throws: a sign that fails is given the next time.
 */
export function keepLease(path: string, text: string, interval: number = INTERVAL): () => void {
  const timer = setInterval(() => void touch(path, text).catch(() => {}), interval);
  timer.unref();
  return () => clearInterval(timer);
}

/** Writes what is there already: so the time is that of the file system's own clock, which all machines share. */
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

import { type FileHandle, open } from "node:fs/promises";

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

/** Writes the byte that is there already, so that the time is that of the file system's clock, which all machines share. */
async function touch(path: string, text: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    // The name may be another process's lock now; the open file stays what it is.
    if ((await textOf(file)) === text) await file.write(text.slice(0, 1), 0);
  } finally {
    await file.close();
  }
}

const textOf = (file: FileHandle): Promise<string> => file.readFile("utf8");

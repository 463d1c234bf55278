import { type FileHandle, open } from "node:fs/promises";

/** How often a holder says that it lives, in milliseconds. */
const INTERVAL = 10_000;

/** How old the last sign of life of a holder may be that cannot be looked at, in milliseconds: it may miss a few. */
export const LEASE = 60_000;

/**
 * Gives signs of life for as long as a lock holds this text: its time of change moves on. Holds up no process that ends.
 * The returned function ends it. Never throws: a sign that cannot be given is given the next time.
 */
export function keepLease(path: string, text: string, interval: number = INTERVAL): () => void {
  const timer = setInterval(() => void touch(path, text).catch(() => {}), interval);
  timer.unref();
  return () => clearInterval(timer);
}

/** By writing what is there already: only so the time is that of the file system's own clock, which all machines share. */
async function touch(path: string, text: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    // The name may stand for another one's lock by now; what is open stays what it is.
    if ((await textOf(file)) === text) await file.write(text.slice(0, 1), 0);
  } finally {
    await file.close();
  }
}

const textOf = (file: FileHandle): Promise<string> => file.readFile("utf8");

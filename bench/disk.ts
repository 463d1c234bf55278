import { closeSync, fdatasync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { median } from "./median.ts";

const LINES = 50;
const LINE = `${"x".repeat(400)}\n`;

/** Milliseconds between two syncs, as between those of two turns: a disk that was idle takes longer. */
const PAUSE = 2;

/** Milliseconds that this disk takes for `fdatasync` after a line was appended to a file; the median of 50. */
export async function syncTime(folder: string): Promise<number> {
  const descriptor = openSync(join(folder, "disk"), "w");
  const times: number[] = [];
  for (let line = 0; line < LINES; line++) {
    writeSync(descriptor, LINE);
    const start = performance.now();
    await new Promise<void>((resolve, reject) => fdatasync(descriptor, (error) => (error ? reject(error) : resolve())));
    times.push(performance.now() - start);
    await Bun.sleep(PAUSE);
  }
  closeSync(descriptor);
  return median(times);
}

/**
 * Drops the cached pages of a file, so that the next program that needs them reads them from the disk, as after a start of the machine.
 * The system may map a file that was just written in larger pieces: an executable then counts 5 MiB more memory. GNU only.
 */
export async function dropPages(path: string): Promise<void> {
  await Bun.$`dd of=${path} oflag=nocache conv=notrunc,fdatasync count=0`.quiet().nothrow();
}

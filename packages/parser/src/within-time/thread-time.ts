import { readFileSync, readlinkSync } from "node:fs";

const ticksPerSecond = 100;

/** A name for the current thread, for `threadTime`; undefined where the system has none. */
export function currentThread(): string | undefined {
  try {
    return readlinkSync("/proc/thread-self");
  } catch {
    return undefined;
  }
}

/** The processor time that a thread of this process has used, in milliseconds; that of the whole process if its own is not known. */
export function threadTime(thread: string | undefined): number {
  return ownTime(thread) ?? processTime();
}

/** See proc(5): fields 14 and 15 of `stat`, which follow the name in parentheses, are in ticks. */
function ownTime(thread: string | undefined): number | undefined {
  if (thread === undefined) return undefined;
  try {
    const stat = readFileSync(`/proc/${thread}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return (ticks * 1_000) / ticksPerSecond;
  } catch {
    return undefined;
  }
}

function processTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { eventually } from "./eventually.ts";

/** A running process. */
export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * Processes, other than this one, that belong to a folder: they stand in it, or their command or environment names it.
 * A test that gives its programs a folder of their own sees with this what they left behind. Zombies do not count. Linux only.
 */
export function processesOf(folder: string): readonly RunningProcess[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.flatMap((pid) => {
    const command = textOf(`/proc/${pid}/cmdline`);
    const named = [command, textOf(`/proc/${pid}/environ`), placeOf(`/proc/${pid}/cwd`)];
    // A zombie has no command line.
    if (command === "" || !named.some((text) => text.includes(folder))) return [];
    return [{ pid: Number(pid), command: command.replaceAll("\0", " ").trim() }];
  });
}

/** Waits until no process of a folder is left; fails with what is left. */
export async function noProcessesOf(folder: string): Promise<void> {
  await eventually(
    () => processesOf(folder).length === 0,
    () => `left in ${folder}: ${JSON.stringify(processesOf(folder))}`,
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // It ended meanwhile, or belongs to somebody else.
    return "";
  }
}

function placeOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}

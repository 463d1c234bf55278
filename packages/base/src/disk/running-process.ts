import { readFileSync } from "node:fs";
import { attempt } from "../errors/attempt.ts";
import { errorCode } from "../errors/system-error.ts";

/** Whether a process has this number now. */
export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/**
 * Identifies a process among all that ever had its number: numbers are reused, in a container after every
 * start. Undefined if the system does not say.
 */
export function processBirth(pid: number): string | undefined {
  const fields = statFields(pid);
  return fields && `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${fields[START_TICKS]}`;
}

/** Whether the process that had this number and birth still runs; without a birth, whether any process has the number. */
export function isRunning(pid: number, birth: string | undefined): boolean {
  if (!hasProcess(pid)) return false;
  const fields = statFields(pid);
  if (fields === undefined) return true;
  if (fields[STATE] === "Z") return false;
  return birth === undefined || birth === processBirth(pid);
}

const STATE = 0;
const START_TICKS = 19;

/** What Linux says about a process, from its state on; undefined if it has ended or the system is not Linux. */
function statFields(pid: number): readonly string[] | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The program's name comes before, in brackets, and may hold anything.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

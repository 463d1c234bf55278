import { readFileSync } from "node:fs";
import { attempt } from "../errors/attempt.ts";
import { errorCode } from "../errors/system-error.ts";

/** Whether a process with this id exists. */
export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/**
 * Identifies a process among all that ever had its id: ids are reused, in a container after every start. Undefined if the system
 * does not provide it.
 */
export function processBirth(pid: number): string | undefined {
  const fields = statFields(pid);
  return fields && `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${fields[START_TICKS]}`;
}

/** Whether the process with this id and birth still runs; without a birth, whether any process has the id. */
export function isRunning(pid: number, birth: string | undefined): boolean {
  if (!hasProcess(pid)) return false;
  const fields = statFields(pid);
  if (fields === undefined) return true;
  if (fields[STATE] === "Z") return false;
  return birth === undefined || birth === processBirth(pid);
}

const STATE = 0;
const START_TICKS = 19;

/** The fields of Linux's stat of a process, starting with its state; undefined if it has ended or the system is not Linux. */
function statFields(pid: number): readonly string[] | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The program's name comes first, in parentheses, and may contain any characters.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

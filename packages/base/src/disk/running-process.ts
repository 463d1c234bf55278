import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { attempt } from "../errors/attempt.ts";
import { errorCode } from "../errors/system-error.ts";
import { isRecord, jsonValue } from "../json/json.ts";

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

/** A process as a file names it, such as the named of a lock. */
export interface NamedProcess {
  readonly pid: number;
  /** Differs for a later process with the same id, if the system provides it. */
  readonly birth?: string | undefined;
  /** ISO 8601. */
  readonly since: string;
  /** The name of its machine. */
  readonly host: string;
  /** The namespace of its process id, if the system has several, as with containers. */
  readonly namespace?: string | undefined;
}

/** This process, with a time since `now`, in milliseconds since 1970. */
export const thisProcess = (now: number): NamedProcess => ({
  pid: process.pid,
  birth: processBirth(process.pid),
  since: new Date(now).toISOString(),
  host: hostname(),
  namespace: processNamespace(),
});

/** The process that the text of a file names; undefined if the text is invalid. */
export function parseProcess(text: string): NamedProcess | undefined {
  const value = jsonValue(text);
  return isNamedProcess(value) ? value : undefined;
}

/** Whether a process runs, or is `elsewhere`: on another machine or in another container, where its process id has no meaning here. */
export function processState(named: NamedProcess): "running" | "ended" | "elsewhere" {
  if (isElsewhere(named)) return "elsewhere";
  return isRunning(named.pid, named.birth) ? "running" : "ended";
}

/** A process as text for people: "process 123 since 2026-04-28T10:00:00Z on host work". */
export function processText(named: NamedProcess): string {
  const text = `process ${named.pid} since ${named.since.replace(/\.\d+Z$/, "Z")}`;
  if (!isElsewhere(named)) return text;
  return `${text} ${isOtherHost(named) ? `on host ${named.host}` : "in another container"}`;
}

const isElsewhere = (named: NamedProcess): boolean => isOtherHost(named) || isOtherNamespace(named);

const isOtherHost = ({ host }: NamedProcess): boolean => host !== hostname();

const isOtherNamespace = ({ namespace }: NamedProcess): boolean =>
  namespace !== undefined && namespace !== processNamespace();

const processNamespace = (): string | undefined => attempt(() => readlinkSync("/proc/self/ns/pid"));

const isNamedProcess = (value: unknown): value is NamedProcess =>
  isRecord(value) &&
  Number.isSafeInteger(value["pid"]) &&
  typeof value["since"] === "string" &&
  typeof value["host"] === "string" &&
  ["birth", "namespace"].every((name) => value[name] === undefined || typeof value[name] === "string");

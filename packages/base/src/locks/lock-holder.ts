import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isRunning, processBirth } from "../disk/running-process.ts";
import { attempt } from "../errors/attempt.ts";
import { isRecord, jsonValue } from "../json/json.ts";

/** The process that holds a lock, as the lock names it. */
export interface LockHolder {
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

/** This process as a holder since `now`, in milliseconds since 1970. */
export const thisHolder = (now: number): LockHolder => ({
  pid: process.pid,
  birth: processBirth(process.pid),
  since: new Date(now).toISOString(),
  host: hostname(),
  namespace: processNamespace(),
});

/** The holder that a lock names; undefined if it is invalid, since a lock gets its name only when it is complete. */
export function parseHolder(text: string): LockHolder | undefined {
  const value = jsonValue(text);
  return isHolder(value) ? value : undefined;
}

/** Whether a holder runs, or is `elsewhere`: on another machine or in another container, where its process id has no meaning here. */
export function holderState(holder: LockHolder): "running" | "ended" | "elsewhere" {
  if (isElsewhere(holder)) return "elsewhere";
  return isRunning(holder.pid, holder.birth) ? "running" : "ended";
}

/** A holder as text for people: "process 123 since 2026-04-28T10:00:00Z on host work". */
export function holderText(holder: LockHolder): string {
  const text = `process ${holder.pid} since ${holder.since.replace(/\.\d+Z$/, "Z")}`;
  if (!isElsewhere(holder)) return text;
  return `${text} ${isOtherHost(holder) ? `on host ${holder.host}` : "in another container"}`;
}

const isElsewhere = (holder: LockHolder): boolean => isOtherHost(holder) || isOtherNamespace(holder);

const isOtherHost = ({ host }: LockHolder): boolean => host !== hostname();

const isOtherNamespace = ({ namespace }: LockHolder): boolean =>
  namespace !== undefined && namespace !== processNamespace();

const processNamespace = (): string | undefined => attempt(() => readlinkSync("/proc/self/ns/pid"));

const isHolder = (value: unknown): value is LockHolder =>
  isRecord(value) &&
  Number.isSafeInteger(value["pid"]) &&
  typeof value["since"] === "string" &&
  typeof value["host"] === "string" &&
  ["birth", "namespace"].every((name) => value[name] === undefined || typeof value[name] === "string");

import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../attempt.ts";
import { hasProcess } from "../files/running-process.ts";
import type { SandboxKind } from "../types/sandbox.ts";
import { MOST_PROCESSES, ownProcessBound } from "./process-limits.ts";

const ROOT = "/sys/fs/cgroup";

/**
 * The group, inside the limited one, that the processes are in. From their namespaces they can see and change it, but not the
 * limited group around it.
 */
const INNER = "inner";

/**
 * A control group that limits the number of processes in it. Root needs one, since `ulimit` does not limit the processes of
 * root.
 */
export class ProcessGroupLimit {
  /** Absolute; undefined if there is no limit. */
  readonly folder: string | undefined;

  /** There is no limit if the system does not let this process create a group. */
  constructor() {
    this.folder = process.getuid?.() === 0 ? makeGroup() : undefined;
  }

  /** The file to which a process with one thread writes 0 to enter the group; undefined if there is no limit. */
  get entrance(): string | undefined {
    if (this.folder === undefined) return undefined;
    const inner = join(this.folder, INNER);
    // Version 1 moves a thread within microseconds; a process waits for milliseconds until no other one starts or ends.
    return [join(inner, "tasks"), join(inner, "cgroup.procs")].find((path) => existsSync(path));
  }

  /** The most processes at a time; undefined if there is no limit. */
  get most(): SandboxKind["processes"] {
    if (this.folder !== undefined) return { most: MOST_PROCESSES, of: "agent" };
    const most = ownProcessBound();
    return most === undefined ? undefined : { most, of: "sandbox" };
  }

  /** Removes the group if all its processes have ended. Never throws. */
  close(): void {
    const { folder } = this;
    // The last process may not quite have ended, although the folder is empty.
    if (folder !== undefined) attempt(() => removeGroup(folder));
  }

  /**
   * Removes the groups that other programs have left: they were killed, or ended before the last process of their group. Those of running
   * programs and those with processes stay, and so do those of another process namespace, whose programs cannot be seen. Never throws.
   */
  removeStale(): void {
    const { folder } = this;
    if (folder === undefined) return;
    const parent = dirname(folder);
    const stale = (attempt(() => readdirSync(parent)) ?? []).filter(isStale).slice(0, MOST_STALE);
    for (const name of stale) attempt(() => removeEmpty(join(parent, name)));
  }
}

/** Groups that are removed at a time, which takes 5 ms. */
const MOST_STALE = 100;

/** Of the process namespace, in which a number means a process, and the number of the process that owns a group. */
const GROUP = /^mdx-ai-(\d+)-(\d+)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const newGroupName = (): string => `mdx-ai-${processNamespace()}-${process.pid}-${crypto.randomUUID()}`;

/** The number of this process's namespace of processes; 0 if the system does not say. */
const processNamespace = (): number =>
  Number(/\d+/.exec(attempt(() => readlinkSync("/proc/self/ns/pid")) ?? "")?.[0] ?? 0);

function isStale(name: string): boolean {
  const [, namespace, owner] = GROUP.exec(name) ?? [];
  return owner !== undefined && Number(namespace) === processNamespace() && !hasProcess(Number(owner));
}

/** Throws if a process is in the group. */
function removeEmpty(folder: string): void {
  if (readFileSync(join(folder, "pids.current"), "utf8").trim() === "0") removeGroup(folder);
}

function makeGroup(): string | undefined {
  for (const parent of parents()) {
    const folder = join(parent, newGroupName());
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, "pids.max"), String(MOST_PROCESSES));
      mkdirSync(join(folder, INNER));
      accessSync(join(folder, INNER, "cgroup.procs"), constants.W_OK);
      return folder;
    } catch {
      // It may never have been created.
      attempt(() => removeGroup(folder));
    }
  }
  return undefined;
}

/** The folder in which a group may be created: below the own group, in the hierarchy `pids` (version 1) or in the unified one. */
function parents(): readonly string[] {
  const lines = attempt(() => readFileSync("/proc/self/cgroup", "utf8").trim().split("\n")) ?? [];
  const paths = lines.flatMap((line) => {
    const [, controllers = "", path = "/"] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers.split(",").includes("pids")) return [join(ROOT, "pids", path), join(ROOT, "pids")];
    return controllers === "" ? [join(ROOT, path), ROOT] : [];
  });
  return paths.filter((path) => existsSync(join(path, "cgroup.procs")));
}

/** Removes the groups in it too, also those that its processes created. The files of a group vanish with it. */
function removeGroup(folder: string): void {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) removeGroup(join(folder, entry.name));
  rmdirSync(folder);
}

/** The words before a command that put it into the control group of an entrance file. */
export const enteringGroup = (entrance: string | undefined): readonly string[] =>
  entrance === undefined ? [] : ["/bin/sh", "-c", 'echo 0 > "$0"; exec "$@"', entrance];

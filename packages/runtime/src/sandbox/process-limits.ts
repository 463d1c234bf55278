import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { release as kernelRelease } from "node:os";
import { join } from "node:path";
import { attempt } from "../attempt.ts";
import type { SandboxKind } from "../types/sandbox.ts";

/** Processes and threads that one agent's sandboxes may have at a time. */
const MOST_PROCESSES = 512;

/**
 * How many processes an ordinary user's command may have; undefined for kernels before 5.14, such as "5.10.0-8-amd64": those
 * count the user's processes outside of the sandbox too, so that a command of a busy user could start none.
 */
export function processBound(release: string): number | undefined {
  const [major = 0, minor = 0] = release.split(".").map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 14) ? MOST_PROCESSES : undefined;
}

/** The same of a command of this user here. */
export const ownProcessBound = (): number | undefined =>
  process.getuid?.() === 0 ? undefined : processBound(kernelRelease());

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
}

function makeGroup(): string | undefined {
  for (const parent of parents()) {
    const folder = join(parent, `mdx-ai-${process.pid}-${crypto.randomUUID()}`);
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

/** KiB of data that a process may use, by its purpose. */
export const MOST_KIBIBYTES = { shell: 4_194_304, tool: 1_048_576 } as const;

/** Seconds after which a call is stopped unless it, or the tool, says otherwise. */
export const DEFAULT_SECONDS = { shell: 30, tool: 60 } as const;

/** The limits of a process and its descendants. */
export interface ProcessLimits {
  /** KiB of data that each process may use; a process may raise the limit for itself. */
  readonly kibibytes?: number | undefined;
  /** Processes and threads of the user in the namespace. */
  readonly processes?: number | undefined;
}

/** The limits as a line of shell. A limit that the system does not know is left out. */
export function limitLine({ kibibytes, processes }: ProcessLimits): string {
  const memory = kibibytes === undefined ? [] : [`ulimit -S -d ${kibibytes} 2>/dev/null`];
  // Debian's shell calls by `-p` what all others call `-u`.
  const count =
    processes === undefined ? [] : [`ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes} 2>/dev/null`];
  return ["ulimit -c 0", ...memory, ...count].join("; ");
}

/** The words before a command that put it into the control group of an entrance file. */
export const enteringGroup = (entrance: string | undefined): readonly string[] =>
  entrance === undefined ? [] : ["/bin/sh", "-c", 'echo 0 > "$0"; exec "$@"', entrance];

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
import { join } from "node:path";

/** Processes and threads that one agent's sandboxes may have at a time. */
const MOST_PROCESSES = 512;

/** Debian's shell calls by `-p` what all others call `-u`. */
const BOUND: readonly string[] = [
  "/bin/sh",
  "-c",
  `ulimit -u ${MOST_PROCESSES} 2>/dev/null || ulimit -p ${MOST_PROCESSES} 2>/dev/null; exec "$@"`,
  "sh",
];

/**
 * Runs a command with so many processes at most, for users other than the administrator, in the sandbox's own namespace of
 * users. Nothing for kernels before 5.14, such as "5.10.0-8-amd64": those count the user's processes outside, too, so that a
 * command of a busy user could start none.
 */
export function processBound(release: string): readonly string[] {
  const [major = 0, minor = 0] = release.split(".").map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 14) ? BOUND : [];
}

const ROOT = "/sys/fs/cgroup";

/**
 * The group within the limited one that the processes are in. In namespaces of their own they can see and change it, but not
 * what is around it.
 */
const INNER = "inner";

/**
 * A control group that limits the processes in it. The administrator needs one, whom no other limit of processes binds;
 * every other user is bound by `ulimit`.
 */
export class ProcessGroupLimit {
  /** Where it stands; undefined where there is no limit. */
  readonly folder: string | undefined;

  /** Where the system lets nobody make one, there is no limit. */
  constructor() {
    this.folder = process.getuid?.() === 0 ? makeGroup() : undefined;
  }

  /** The file that a process writes its number to when it enters; undefined where there is no limit. */
  get entrance(): string | undefined {
    return this.folder && join(this.folder, INNER, "cgroup.procs");
  }

  /** Removes the group where all in it has ended. Never throws. */
  close(): void {
    try {
      if (this.folder !== undefined) removeGroup(this.folder);
    } catch {
      // The last process has not quite ended; the folder is empty all the same.
    }
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
      removeMade(folder);
    }
  }
  return undefined;
}

/** Where a group of processes may be made: below the own one, in the hierarchy of processes (version 1) or the only one. */
function parents(): readonly string[] {
  try {
    const lines = readFileSync("/proc/self/cgroup", "utf8").trim().split("\n");
    const paths = lines.flatMap((line) => {
      const [, controllers = "", path = "/"] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
      if (controllers.split(",").includes("pids")) return [join(ROOT, "pids", path), join(ROOT, "pids")];
      return controllers === "" ? [join(ROOT, path), ROOT] : [];
    });
    return paths.filter((path) => existsSync(join(path, "cgroup.procs")));
  } catch {
    return [];
  }
}

function removeMade(folder: string): void {
  try {
    removeGroup(folder);
  } catch {
    // It was never made.
  }
}

/** With the groups in it, also those that its processes made. The files of a group go with it. */
function removeGroup(folder: string): void {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) removeGroup(join(folder, entry.name));
  rmdirSync(folder);
}

/** What a process and all that it starts may use up. */
export interface ProcessLimits {
  /** KiB of data that each process may hold; what is started may raise the limit for itself. */
  readonly kibibytes?: number;
  /** The file by which a process enters its control group. Absolute. */
  readonly entrance?: string | undefined;
}

/** The command under limits, where the system has such limits. */
export function limitedCommand(command: readonly string[], { kibibytes, entrance }: ProcessLimits): string[] {
  if (process.platform !== "linux") return [...command];
  const memory = kibibytes === undefined ? "" : `ulimit -S -d ${kibibytes} 2>/dev/null; `;
  const enter = entrance === undefined ? "" : 'echo $$ > "$0"; ';
  return ["/bin/sh", "-c", `${enter}ulimit -c 0; ${memory}exec "$@"`, entrance ?? "sh", ...command];
}

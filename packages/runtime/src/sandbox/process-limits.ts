import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Processes and threads that one agent's sandboxes may have at a time. */
export const MOST_PROCESSES = 512;

const ROOT = "/sys/fs/cgroup";

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
    return this.folder && join(this.folder, "cgroup.procs");
  }

  /** Removes the group where all in it has ended. Never throws. */
  close(): void {
    try {
      if (this.folder !== undefined) rmdirSync(this.folder);
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
      accessSync(join(folder, "cgroup.procs"), constants.W_OK);
      return folder;
    } catch {
      removeFolder(folder);
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

function removeFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It was never made.
  }
}

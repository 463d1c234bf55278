import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { SandboxOptions } from "./enclosure.ts";
import type { SandboxPrograms } from "./holder.ts";
import { MountPoints } from "./mount-points.ts";
import { BRIDGE } from "./network/bridge-environment.ts";
import { Proxies } from "./network/proxies.ts";
import { openPrivateFolders } from "./private-folders.ts";
import { enteringGroup, ProcessGroupLimit } from "./process-limits.ts";
import { runFolder } from "./run-folder.ts";
import { WarmSandboxes } from "./warm-sandboxes.ts";

/**
 * Milliseconds for which the placeholders stay when a command has ended: what it left running is killed with its sandbox, but
 * a moment later.
 */
const GRACE = 50;

/** What the sandboxes of an agent share. */
export class SandboxParts {
  readonly options: SandboxOptions;
  readonly programs: SandboxPrograms;
  /** Real. */
  readonly agentDir: string;
  /** The folder that all sandboxes of the user share. */
  readonly folder: string;
  /** In the namespaces of the sandboxes, where their private folders are. */
  readonly privateFolder: string;
  readonly limit: ProcessGroupLimit;
  readonly mountPoints: MountPoints;
  readonly warm: WarmSandboxes;
  readonly #proxies: Proxies;
  readonly #leaving = new Set<() => void>();

  /** Throws the file system's error. */
  constructor(options: SandboxOptions, programs: SandboxPrograms) {
    this.options = options;
    this.programs = programs;
    this.agentDir = realpathSync.native(options.agentDir);
    this.folder = runFolder();
    this.limit = new ProcessGroupLimit();
    this.mountPoints = new MountPoints({ agentDir: this.agentDir, folder: this.folder, group: this.limit.folder });
    this.privateFolder = join(this.folder, "private");
    mkdirSync(this.privateFolder, { recursive: true, mode: 0o700 });
    this.#proxies = new Proxies(() => join(this.folder, `${process.pid}-${crypto.randomUUID()}.sock`));
    const watch = (pid: number): (() => void) => this.mountPoints.watch(pid);
    this.warm = new WarmSandboxes({
      programs,
      before: enteringGroup(this.limit.entrance),
      watch,
      openBase: () => openPrivateFolders(programs, this.privateFolder, watch),
      bridgeTo: async (hosts) => [...options.toolHostCommand, BRIDGE, await this.#proxies.addressFor(hosts)],
    });
  }

  /**
   * Creates placeholders for absent files until a moment after the returned function is called, when the command has ended.
   * Throws the file system's error.
   */
  hold(): () => void {
    const release = this.mountPoints.hold();
    return () => {
      const leave = (): void => {
        this.#leaving.delete(leave);
        release();
      };
      this.#leaving.add(leave);
      setTimeout(leave, GRACE).unref();
    };
  }

  /** Never rejects. */
  async close(): Promise<void> {
    if (this.#leaving.size > 0) await Bun.sleep(GRACE);
    for (const leave of this.#leaving) leave();
    await this.warm.close();
    await this.mountPoints.close();
    await this.#proxies.close();
    this.limit.close();
  }
}

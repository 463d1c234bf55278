import { closeSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { FolderListings } from "@mdx-ai/base/disk";
import { AbsentPaths, type Held } from "./absent-paths.ts";
import type { SandboxOptions } from "./enclosure.ts";
import { type GitIdentity, readGitIdentity } from "./git-identity.ts";
import type { SandboxPrograms } from "./holder.ts";
import { filterFile } from "./kernel/filter-file.ts";
import { BRIDGE } from "./network/bridge-environment.ts";
import { Proxies } from "./network/proxies.ts";
import { openPrivateFolders } from "./private-folders.ts";
import { runFolder } from "./run-folder.ts";
import { removeStale } from "./stale-files.ts";
import { WarmSandboxes } from "./warm-sandboxes.ts";
import type { Workspace } from "./workspace.ts";

/** Milliseconds for which a command may create something when it has ended: processes that it left running are killed a moment later. */
const GRACE = 50;

/** The sandbox features of a system. */
interface SandboxMeans {
  readonly programs: SandboxPrograms;
  readonly folder: string;
  readonly workspace: Workspace | undefined;
}

/** The parts that the sandboxes of an agent share. */
export class SandboxParts {
  readonly options: SandboxOptions;
  readonly programs: SandboxPrograms;
  /** Real. */
  readonly agentDir: string;
  /** The folder that all sandboxes of the user share. */
  readonly folder: string;
  /** The folder of the private folders, in the namespaces of the sandboxes. */
  readonly privateFolder: string;
  readonly workspace: Workspace | undefined;
  readonly absentPaths: AbsentPaths;
  readonly warm: WarmSandboxes;
  readonly proxies: Proxies;
  readonly listings: FolderListings = new FolderListings();
  /** The sandbox of a trial, which the first command enters, too. */
  trying: Promise<unknown> | undefined;
  /** Open files. */
  readonly #files: number[] = [];
  #gitIdentity: Promise<GitIdentity> | undefined;
  readonly #leaving = new Set<() => void>();

  /** Rejects with the file system's error. */
  static async open(options: SandboxOptions, programs: SandboxPrograms): Promise<SandboxParts> {
    const folder = runFolder();
    const workspace = await workspaceOf(options);
    return new SandboxParts(options, { programs, folder, workspace });
  }

  private constructor(options: SandboxOptions, { programs, folder, workspace }: SandboxMeans) {
    this.options = options;
    this.programs = programs;
    this.agentDir = realpathSync.native(options.agentDir);
    this.folder = folder;
    this.workspace = workspace;
    this.absentPaths = new AbsentPaths({
      ...{ ...options, folder: this.folder, roots: this.workspace?.roots() },
    });
    this.privateFolder = join(this.folder, "private");
    mkdirSync(this.privateFolder, { recursive: true, mode: 0o700 });
    this.proxies = new Proxies(() => join(this.folder, `${process.pid}-${crypto.randomUUID()}.sock`));
    const watch = (pid: number): (() => void) => this.absentPaths.watch(pid);
    this.warm = new WarmSandboxes({
      programs,
      watch,
      openFilter: async () => this.#keep(await filterFile(folder)),
      folder,
      openBase: () => openPrivateFolders({ programs, mountPoint: this.privateFolder, watch }),
      bridgeTo: async (hosts) => [...options.toolHostCommand, BRIDGE, String((await this.proxies.to(hosts)).address)],
    });
  }

  /** The user's name and address for git; read once. Never rejects. */
  gitIdentity(): Promise<GitIdentity> {
    this.#gitIdentity ??= readGitIdentity(this.options, this.workspace?.folder ?? this.agentDir);
    return this.#gitIdentity;
  }

  /** As `AbsentPaths.hold`; the release takes effect a moment after it is called. */
  hold(): Held {
    const { settle, release } = this.absentPaths.hold();
    const leave = (): void => {
      this.#leaving.delete(leave);
      release();
    };
    return {
      settle,
      release: () => {
        this.#leaving.add(leave);
        setTimeout(leave, GRACE).unref();
      },
    };
  }

  /** Receives the files set aside. Absolute and real. */
  get asideDir(): string {
    return this.absentPaths.asideDir;
  }

  /** Never rejects. */
  async close(): Promise<void> {
    if (this.#leaving.size > 0) await Bun.sleep(GRACE);
    for (const leave of this.#leaving) leave();
    await this.warm.close();
    await this.absentPaths.close();
    await this.proxies.close();
    // Nothing waits for this work.
    removeStale(this.folder);
    for (const file of this.#files.splice(0)) closeSync(file);
  }

  /** Closes a file with the others. */
  #keep(file: number | undefined): number | undefined {
    if (file !== undefined) this.#files.push(file);
    return file;
  }
}

/** Its code is loaded if there is a workspace. */
const workspaceOf = async (options: SandboxOptions): Promise<Workspace | undefined> =>
  options.workspace === undefined
    ? undefined
    : (await import("./workspace.ts")).Workspace.of(options, realpathSync.native(options.agentDir));

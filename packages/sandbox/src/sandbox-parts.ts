import { closeSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt, isWithin } from "@mdx-ai/base";
import { FolderListings, realPathOrSame } from "@mdx-ai/base/disk";
import { Reaper } from "@mdx-ai/mcp/reaper";
import type { SandboxOptions } from "./command-sandbox.ts";
import type { KeyInjector } from "./credentials/key-injector.ts";
import { type GitIdentity, readGitIdentity } from "./git-identity.ts";
import type { SandboxPrograms } from "./holder.ts";
import { filterFile } from "./kernel/filter-file.ts";
import { bridgeArguments } from "./network/bridge-environment.ts";
import { Proxies } from "./network/proxies.ts";
import { Placeholders, REMOVE_PLACEHOLDERS } from "./placeholders.ts";
import { openPrivateFolders } from "./private-folders.ts";
import { runFolder } from "./run-folder.ts";
import { removeStale } from "./stale-files.ts";
import { WarmSandboxes } from "./warm-sandboxes.ts";
import type { Workspace } from "./workspace.ts";

/**
 * How long a command that has ended may still create files, in milliseconds: processes that it left running are killed a moment
 * later.
 */
const GRACE = 50;

/** How long an idle sandbox keeps its placeholders and the shell of the next command, in milliseconds. */
const IDLE = 200;

/** The sandbox features of a system. */
interface SandboxMeans {
  readonly programs: SandboxPrograms;
  readonly folder: string;
  readonly workspace: Workspace | undefined;
  readonly keys: KeyInjector | undefined;
}

/** The parts that the sandboxes of an agent share. */
export class SandboxParts {
  readonly options: SandboxOptions;
  readonly programs: SandboxPrograms;
  /** Real. */
  readonly agentDir: string;
  /** The folder that all sandboxes of the user share. */
  readonly folder: string;
  /** The folder with the private folders, in the namespaces of the sandboxes. */
  readonly privateFolder: string;
  readonly workspace: Workspace | undefined;
  readonly placeholders: Placeholders;
  readonly warm: WarmSandboxes;
  readonly proxies: Proxies;
  readonly listings: FolderListings = new FolderListings();
  /** The sandbox of the trial, which the first command uses, too. */
  trying: Promise<unknown> | undefined;
  /** Open files. */
  readonly #files: number[] = [];
  readonly #reaper: Reaper;
  readonly #forbidden: string[] = [];
  #gitIdentity: Promise<GitIdentity> | undefined;
  #users = 0;
  /** How often the sandboxes were used. */
  #uses = 0;
  #resting: ReturnType<typeof setTimeout> | undefined;

  /** Rejects with the file system's error. */
  static async open(options: SandboxOptions, programs: SandboxPrograms): Promise<SandboxParts> {
    const folder = runFolder();
    const [workspace, keys] = await Promise.all([workspaceOf(options), keysOf(options, folder)]);
    return new SandboxParts(options, { programs, folder, workspace, keys });
  }

  private constructor(options: SandboxOptions, { programs, folder, workspace, keys }: SandboxMeans) {
    this.options = options;
    this.programs = programs;
    this.agentDir = realpathSync.native(options.agentDir);
    this.folder = folder;
    this.workspace = workspace;
    this.placeholders = new Placeholders(folder);
    // Ends the sandboxes, too: a bubblewrap whose parent dies during start-up may wait forever.
    this.#reaper = new Reaper({ name: "mdx-ai", script: REMOVE_PLACEHOLDERS, args: [this.placeholders.list] });
    this.privateFolder = join(this.folder, "private");
    mkdirSync(this.privateFolder, { recursive: true, mode: 0o700 });
    this.proxies = new Proxies(() => join(this.folder, `${process.pid}-${crypto.randomUUID()}.sock`), keys);
    const watch = (pid: number): (() => void) => this.watch(pid);
    this.warm = new WarmSandboxes({
      programs,
      watch,
      openFilter: async () => this.#keep(await filterFile(folder)),
      folder,
      openBase: () => openPrivateFolders({ programs, mountPoint: this.privateFolder, watch }),
      bridgeTo: async (hosts) => {
        const { address } = await this.proxies.to(hosts);
        return [...options.toolHostCommand, ...bridgeArguments(String(address), hosts)];
      },
    });
  }

  /** The user's name and address for git; read once. Never rejects. */
  gitIdentity(): Promise<GitIdentity> {
    this.#gitIdentity ??= readGitIdentity(this.options, this.workspace?.folder ?? this.agentDir);
    return this.#gitIdentity;
  }

  /** Like `Reaper.watch`. */
  watch(pid: number): () => void {
    return this.#reaper.watch(pid);
  }

  /**
   * Call this before the sandbox of a command is made, and the returned function when the command has ended or was not started.
   * Placeholders are removed after some milliseconds without a command.
   */
  use(idle: number = IDLE): () => void {
    this.#users += 1;
    this.#uses += 1;
    clearTimeout(this.#resting);
    return () => {
      this.#users -= 1;
      if (this.#users > 0) return;
      clearTimeout(this.#resting);
      this.#resting = setTimeout(() => void this.#rest(), idle).unref();
    };
  }

  /** Removes what a finished command created at paths where no placeholder can be. */
  removeSoon(paths: readonly string[]): void {
    if (paths.length === 0) return;
    this.#forbidden.push(...paths);
    removeAll(paths);
    // Processes that it left running are killed a moment later.
    setTimeout(() => this.#removeForbidden(), GRACE).unref();
  }

  /** The existing paths that must not be created. Absolute and real. */
  reserved(): readonly string[] {
    const { agent, readOnly } = this.options.lists;
    const ofAgent = agent.reserve.map((path) => join(this.agentDir, path));
    const own = readOnly.map(realPathOrSame).filter((path) => isWithin(this.agentDir, path));
    const ofWork = this.workspace?.kept.reserved ?? [];
    return [...new Set(withRealFolders([...ofAgent, ...own, ...ofWork]))];
  }

  /** Whether `close` was called: no sandbox starts any more. */
  get isClosed(): boolean {
    return this.warm.isClosed;
  }

  /** Never rejects. */
  async close(): Promise<void> {
    const wasUsed = this.#resting !== undefined;
    clearTimeout(this.#resting);
    await this.warm.close();
    if (wasUsed) await Bun.sleep(GRACE);
    this.#removeForbidden();
    this.placeholders.remove();
    await this.#reaper.close();
    await this.proxies.close();
    // Nothing waits for this work.
    removeStale(this.folder);
    for (const file of this.#files.splice(0)) closeSync(file);
  }

  #removeForbidden(): void {
    removeAll(this.#forbidden.splice(0));
  }

  async #rest(): Promise<void> {
    const uses = this.#uses;
    await this.warm.rest();
    // A sandbox that was still starting may have made a folder in its last moment.
    await Bun.sleep(GRACE);
    // A use in the meantime is over, but its sandbox may still be starting; a rest of its own follows.
    if (this.#users === 0 && this.#uses === uses) this.placeholders.remove();
  }

  /** Closes a file with the others. */
  #keep(file: number | undefined): number | undefined {
    if (file !== undefined) this.#files.push(file);
    return file;
  }
}

/** Loaded only if there is a workspace. */
const workspaceOf = async (options: SandboxOptions): Promise<Workspace | undefined> =>
  options.workspace === undefined
    ? undefined
    : (await import("./workspace.ts")).Workspace.of(options, realpathSync.native(options.agentDir));

/** Loaded only if there is a credential. */
async function keysOf(
  { credentials = [], environment, onWarning }: SandboxOptions,
  folder: string,
): Promise<KeyInjector | undefined> {
  if (credentials.length === 0) return undefined;
  const { KeyInjector: Keys } = await import("./credentials/key-injector.ts");
  const keys = new Keys(credentials, environment, folder);
  if (keys.isBehindProxy) onWarning?.(BEHIND_PROXY);
  return keys;
}

const BEHIND_PROXY =
  "programs that reach all hosts use the proxy that your variables name, and no key for a host; keys work for programs whose `network` lists hosts";

function removeAll(paths: readonly string[]): void {
  for (const path of paths) attempt(() => rmSync(path, { force: true, recursive: true }));
}

/** The paths in the real folders to which links in them lead now. */
function withRealFolders(paths: readonly string[]): readonly string[] {
  const byFolder = Map.groupBy(paths, dirname);
  return [...byFolder].flatMap(([folder, inside]) => {
    const real = realPathOrSame(folder);
    return inside.map((path) => join(real, basename(path)));
  });
}

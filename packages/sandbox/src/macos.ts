import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wrapCommandWithSandboxMacOS } from "@anthropic-ai/sandbox-runtime/dist/sandbox/macos-sandbox-utils.js";
import { attempt, isWithin } from "@mdx-ai/base";
import { FolderListings, realPathOrSame } from "@mdx-ai/base/disk";
import { attachBare } from "./attached-process.ts";
import { blockedAccess } from "./blocked-access.ts";
import { blockedNote } from "./blocked-note.ts";
import {
  type AttachedStart,
  type CommandSandbox,
  HOST_NETWORK,
  type SandboxFactory,
  type SandboxOptions,
  type SandboxRequest,
} from "./command-sandbox.ts";
import { firstComplaint } from "./complaint.ts";
import { type GitIdentity, readGitIdentity, settingVariables } from "./git-identity.ts";
import { hostsOf } from "./granted-paths.ts";
import { mountPlan } from "./mount-plan.ts";
import type { Mount } from "./mounts.ts";
import { makeWrittenFolders } from "./narrowed-mounts.ts";
import { commandNetwork } from "./network/command-network.ts";
import { Proxies } from "./network/proxies.ts";
import { runFolder } from "./run-folder.ts";
import { sandboxView } from "./sandbox-view.ts";
import { shellQuoted } from "./shell-script.ts";
import { startBare } from "./start-process.ts";
import type { SandboxView } from "./types/sandbox.ts";
import { Workspace } from "./workspace.ts";

/** Folders that all programs share; they are hidden in a sandbox. */
const SHARED_FOLDERS = ["/tmp", "/var/tmp"];

const TEMPORARY = ["TMPDIR", "TMP", "TEMP"];

/** The paths that a sandbox of macOS allows. All are absolute and real; an inner path overrides an outer one. */
interface MacosPaths {
  readonly mounts: ReadonlyMap<string, Mount>;
  /** Absent files and folders that must not be created. */
  readonly absent: readonly string[];
  /** The only folder for temporary files. */
  readonly temporary: string;
}

/** Makes sandboxes with `sandbox-exec` and the rules of `@anthropic-ai/sandbox-runtime`. Not tested on macOS. */
export class MacosSandboxFactory implements SandboxFactory {
  readonly #options: SandboxOptions;
  /** Real. */
  readonly #agentDir: string;
  readonly #folder = runFolder();
  /** The folder for the temporary files of the sandboxes. Real. */
  readonly #temporary: string;
  readonly #proxies = new Proxies();
  readonly #listings = new FolderListings();
  readonly #workspace: Workspace | undefined;
  #identity: Promise<GitIdentity> | undefined;

  /** Throws the file system's error. */
  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#agentDir = realpathSync.native(options.agentDir);
    this.#workspace = Workspace.of(options, this.#agentDir);
    this.#temporary = realpathSync.native(mkdtempSync(join(tmpdir(), "mdx-ai-private-")));
  }

  get workspace(): string | undefined {
    return this.#workspace?.folder;
  }

  async contain(request: SandboxRequest): Promise<CommandSandbox> {
    const { purpose } = request;
    if (typeof purpose !== "string" && purpose.files) makeWrittenFolders(this.#agentDir, purpose.files);
    const paths = this.#paths(request);
    const hosts = hostsOf(request, this.#options);
    const network = await commandNetwork(request, hosts, this.#proxies);
    this.#identity ??= readGitIdentity(this.#options, this.workspace ?? this.#agentDir);
    const identity = purpose === "shell" ? await this.#identity : [];
    const temporary = Object.fromEntries(TEMPORARY.map((name) => [name, this.#temporary]));
    const inside = <Start extends AttachedStart>(start: Start): Start => ({
      ...start,
      command: ["/bin/sh", "-c", macosCommand(start.command, paths, hosts === "all" ? "all" : network.port)],
      environment: {
        ...start.environment,
        ...settingVariables(identity, start.environment),
        ...temporary,
        ...network.environment,
      },
    });
    const hasWorkspace = this.#workspace !== undefined;
    const { refused, problems } = network;
    let view = { purpose, hosts, refused, problems, mounts: paths.mounts, hasWorkspace, cwd: this.#agentDir };
    return {
      start: async (start) => {
        view = { ...view, cwd: start.cwd };
        return startBare(inside(start));
      },
      attach: (start) => attachBare(inside(start)),
      // The rules are about paths, not about the files that were there.
      network: HOST_NETWORK,
      isCurrent: () => true,
      blocked: (ended) => blockedAccess(ended, view),
      noteOn: async (ended) => blockedNote(ended, view),
      release: network.release,
    };
  }

  async trial(): Promise<string | undefined> {
    const { start, release } = await this.contain({ purpose: "shell" });
    try {
      const { exited, stderr } = await start({ command: ["true"], cwd: "/", environment: {}, hasChannel: false });
      const exitCode = await exited;
      if (exitCode === 0) return undefined;
      return (await firstComplaint(stderr)) || `a command that does nothing ends with exit code ${exitCode}`;
    } finally {
      release();
    }
  }

  /** Needs no preparation. */
  async expect(): Promise<void> {}

  view(request: SandboxRequest): SandboxView {
    const { mounts, absent } = this.#paths(request);
    const shown = new Map<string, Mount>([
      ...mounts,
      [this.#temporary, { kind: "private", name: this.#temporary, mode: "1777" }],
    ]);
    return sandboxView(request, this.#options, { mounts: shown, placeholders: absent });
  }

  async close(): Promise<void> {
    await this.#proxies.close();
    attempt(() => rmSync(this.#temporary, { recursive: true, force: true }));
  }

  #paths(request: SandboxRequest): MacosPaths {
    const agentDir = this.#agentDir;
    this.#workspace?.look();
    const { shown } = mountPlan(request, {
      ...{ options: this.#options, agentDir, folder: this.#folder, listings: this.#listings },
      workspace: this.#workspace,
    });
    const ofAgent = this.#options.lists.agent.reserve.map((path) => join(agentDir, path));
    const { reserved = [], forbidden = [] } = this.#workspace?.kept ?? {};
    return {
      mounts: this.#withSharedFolders(shown),
      absent: [...new Set([...ofAgent, ...reserved, ...forbidden])].filter((path) => !existsSync(path)),
      temporary: this.#temporary,
    };
  }

  /**
   * On macOS these folders are behind links, and each user has a private folder for temporary files. No folder can be mounted
   * over another, so folders that are private on Linux are hidden.
   */
  #withSharedFolders(mounts: ReadonlyMap<string, Mount>): Map<string, Mount> {
    const { cwd } = this.#options;
    const shared = [...SHARED_FOLDERS, tmpdir(), this.#folder].map(realPathOrSame);
    const seen = [realPathOrSame(cwd)].filter((path) => shared.some((folder) => isWithin(folder, path)));
    return new Map<string, Mount>([
      ...shared.map((path) => [path, HIDDEN] as const),
      ...seen.map((path) => [path, { kind: "read-only" }] as const),
      ...[...mounts].map(([path, mount]) => [realPathOrSame(path), mount.kind === "private" ? HIDDEN : mount] as const),
    ]);
  }
}

const HIDDEN: Mount = { kind: "hidden-folder" };

/**
 * The shell text that runs a command in a sandbox with these paths. It reaches all hosts, a proxy at a port of the loopback, or
 * nothing.
 */
export function macosCommand(
  command: readonly string[],
  { mounts, absent, temporary }: MacosPaths,
  network: "all" | number | undefined,
): string {
  const pathsOf = (...kinds: readonly Mount["kind"][]): string[] =>
    [...mounts].flatMap(([path, { kind }]) => (kinds.includes(kind) ? [path] : []));
  return wrapCommandWithSandboxMacOS({
    command: `exec ${command.map(shellQuoted).join(" ")}`,
    binShell: "sh",
    needsNetworkRestriction: network !== "all",
    ...(typeof network === "number" && { httpProxyPort: network }),
    readConfig: {
      ...{ denyOnly: [], literalDenyOnly: pathsOf("hidden-folder", "private", "stand-in") },
      literalAllowWithinDeny: [...pathsOf("read-only", "writable"), temporary],
    },
    writeConfig: {
      ...{ allowOnly: [], literalAllowOnly: [...pathsOf("writable"), temporary] },
      ...{ denyWithinAllow: [], literalDenyWithinAllow: [...pathsOf("read-only", "stand-in"), ...absent] },
    },
  });
}

import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attempt, isWithin } from "@mdx-ai/base";
import { FolderListings, realPlaceOrSame } from "@mdx-ai/base/disk";
import type { SandboxView } from "../types/sandbox.ts";
import { attachBare } from "./attached-process.ts";
import { CommandBarrier } from "./command-barrier.ts";
import { firstComplaint } from "./complaint.ts";
import type { AttachedStart, Encloser, Enclosure, EnclosureRequest, SandboxOptions } from "./enclosure.ts";
import { SANDBOX_EXEC } from "./find-container.ts";
import { type MacosPolicy, macosProfile } from "./macos-profile.ts";
import { mountPlan } from "./mount-plan.ts";
import type { Mount } from "./mounts.ts";
import { makeWrittenFolders } from "./narrowed-mounts.ts";
import { commandNetwork } from "./network/command-network.ts";
import { Proxies } from "./network/proxies.ts";
import { hostsOf } from "./opened.ts";
import { runFolder } from "./run-folder.ts";
import { sandboxView } from "./sandbox-view.ts";
import { startBare } from "./start-process.ts";
import { Workspace } from "./workspace.ts";

/** Folders that all programs share, each replaced by a sandbox's own. */
const SHARED_FOLDERS = ["/tmp", "/var/tmp"];

const TEMPORARY = ["TMPDIR", "TMP", "TEMP"];

/** Makes sandboxes with `sandbox-exec`. Never tested on macOS. */
export class MacosEncloser implements Encloser {
  readonly #options: SandboxOptions;
  /** Real. */
  readonly #agentDir: string;
  readonly #folder = runFolder();
  /** The folder for the temporary files of the sandboxes. Real. */
  readonly #temporary: string;
  readonly #proxies = new Proxies();
  readonly #listings = new FolderListings();
  readonly #workspace: Workspace | undefined;

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

  async enclose(request: EnclosureRequest): Promise<Enclosure> {
    const { purpose } = request;
    if (typeof purpose !== "string" && purpose.files) makeWrittenFolders(this.#agentDir, purpose.files);
    const policy = this.#policy(request);
    const hosts = hostsOf(request, this.#options);
    const network = await commandNetwork(hosts, this.#proxies);
    const allowed = network.port === undefined ? (hosts === "all" ? "all" : "none") : { proxyPort: network.port };
    const profile = macosProfile({ ...policy, network: allowed });
    const variables = {
      ...Object.fromEntries(TEMPORARY.map((name) => [name, this.#temporary])),
      ...network.environment,
    };
    const inside = <Start extends AttachedStart>(start: Start): Start => ({
      ...start,
      command: [SANDBOX_EXEC, "-p", profile, "--", ...start.command],
      environment: { ...start.environment, ...variables },
    });
    const barrier = new CommandBarrier({
      purpose,
      hosts,
      refused: network.refused,
      mounts: policy.mounts,
      hasWorkspace: this.#workspace !== undefined,
    });
    return {
      start: (start) => {
        barrier.begin(start.cwd);
        return startBare(inside(start));
      },
      attach: (start) => attachBare(inside(start)),
      // The rules are about paths, not about the files that were there.
      isCurrent: () => true,
      heldBack: (ended) => barrier.heldBack(ended),
      noteOn: (ended) => barrier.noteOn(ended),
      release: network.release,
    };
  }

  async trial(): Promise<string | undefined> {
    const { start, release } = await this.enclose({ purpose: "shell" });
    try {
      const { exited, stderr } = start({ command: ["true"], cwd: "/", environment: {}, hasChannel: false });
      const exitCode = await exited;
      if (exitCode === 0) return undefined;
      return (await firstComplaint(stderr)) || `a command that does nothing ends with exit code ${exitCode}`;
    } finally {
      release();
    }
  }

  /** Nothing is to be prepared. */
  async expect(): Promise<void> {}

  view(request: EnclosureRequest): SandboxView {
    const { mounts, absent } = this.#policy(request);
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

  #policy(request: EnclosureRequest): Omit<MacosPolicy, "network"> {
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
      ...{ temporary: this.#temporary, agentDir },
    };
  }

  /**
   * On macOS these folders are behind links, and each user has another one for temporary files. Nothing is mounted in place of
   * a folder: folders that are private on Linux are hidden.
   */
  #withSharedFolders(mounts: ReadonlyMap<string, Mount>): Map<string, Mount> {
    const { cwd } = this.#options;
    const shared = [...SHARED_FOLDERS, tmpdir(), this.#folder].map(realPlaceOrSame);
    const seen = [realPlaceOrSame(cwd)].filter((path) => shared.some((folder) => isWithin(folder, path)));
    return new Map<string, Mount>([
      ...shared.map((path) => [path, HIDDEN] as const),
      ...seen.map((path) => [path, { kind: "read-only" }] as const),
      ...[...mounts].map(
        ([path, mount]) => [realPlaceOrSame(path), mount.kind === "private" ? HIDDEN : mount] as const,
      ),
    ]);
  }
}

const HIDDEN: Mount = { kind: "hidden-folder" };

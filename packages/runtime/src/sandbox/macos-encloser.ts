import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attempt } from "../attempt.ts";
import { isWithin, realPlaceOrSame } from "../files/real-place.ts";
import type { SandboxView } from "../types/sandbox.ts";
import { attachBare } from "./attached-process.ts";
import { containmentNote } from "./containment-note.ts";
import { mountsFor } from "./enclose.ts";
import type { Encloser, Enclosure, EnclosureRequest, SandboxOptions } from "./enclosure.ts";
import { SANDBOX_EXEC } from "./find-container.ts";
import { type MacosPolicy, macosProfile } from "./macos-profile.ts";
import { PLACEHOLDER_PATHS } from "./mount-points.ts";
import type { Mount } from "./mounts.ts";
import { makeWrittenFolders } from "./narrowed-mounts.ts";
import { bridgeEnvironment } from "./network/bridge-environment.ts";
import { Proxies } from "./network/proxies.ts";
import { hostsOf } from "./reachable-hosts.ts";
import { runFolder } from "./run-folder.ts";
import { sandboxView } from "./sandbox-view.ts";
import { startBare } from "./start-process.ts";

/** Folders that all programs share, and that a sandbox has one of its own in place of. */
const SHARED_FOLDERS = ["/tmp", "/var/tmp"];

const TEMPORARY = ["TMPDIR", "TMP", "TEMP"];

/** Makes sandboxes with `sandbox-exec`. Never tested on macOS. */
export class MacosEncloser implements Encloser {
  readonly #options: SandboxOptions;
  /** Real. */
  readonly #agentDir: string;
  readonly #folder = runFolder();
  /** Where the sandboxes have their temporary files. Real. */
  readonly #temporary: string;
  readonly #proxies = new Proxies();

  /** Throws the file system's error. */
  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#agentDir = realpathSync.native(options.agentDir);
    this.#temporary = realpathSync.native(mkdtempSync(join(tmpdir(), "mdx-ai-private-")));
  }

  async enclose(request: EnclosureRequest): Promise<Enclosure> {
    const { purpose } = request;
    if (typeof purpose !== "string" && purpose.files) makeWrittenFolders(this.#agentDir, purpose.files);
    const hosts = hostsOf(request, this.#options);
    const port = hosts === "all" || hosts.length === 0 ? undefined : Number(await this.#proxies.addressFor(hosts));
    const network = port === undefined ? (hosts === "all" ? "all" : "none") : { proxyPort: port };
    const profile = macosProfile({ ...this.#policy(request), network });
    const variables = {
      ...Object.fromEntries(TEMPORARY.map((name) => [name, this.#temporary])),
      ...(hosts !== "all" && port !== undefined && bridgeEnvironment(hosts, port)),
    };
    const inside = <
      Start extends { readonly command: readonly string[]; readonly environment: Readonly<Record<string, string>> },
    >(
      start: Start,
    ): Start => ({
      ...start,
      command: [SANDBOX_EXEC, "-p", profile, "--", ...start.command],
      environment: { ...start.environment, ...variables },
    });
    return {
      start: (start) => startBare(inside(start)),
      attach: (start) => attachBare(inside(start)),
      // The rules are about paths, not about the files that were there.
      isCurrent: () => true,
      noteOn: (output) => containmentNote(output, { purpose, hosts }),
      release: () => {},
    };
  }

  view(request: EnclosureRequest): SandboxView {
    return sandboxView(request, this.#options, this.#policy(request).mounts);
  }

  async close(): Promise<void> {
    await this.#proxies.close();
    attempt(() => rmSync(this.#temporary, { recursive: true, force: true }));
  }

  #policy(request: EnclosureRequest): Omit<MacosPolicy, "network"> {
    const { definingFiles = [] } = this.#options;
    const agentDir = this.#agentDir;
    const parts = { options: this.#options, agentDir, folder: this.#folder };
    const protectedFiles = [...PLACEHOLDER_PATHS, ...definingFiles].map((path) => join(agentDir, path));
    return {
      mounts: this.#withSharedFolders(mountsFor(request, parts).shown),
      absent: [...new Set(protectedFiles)].filter((path) => !existsSync(path)),
      ...{ temporary: this.#temporary, agentDir },
    };
  }

  /** On macOS these folders are behind links, and each user has another one for temporary files. */
  #withSharedFolders(mounts: ReadonlyMap<string, Mount>): Map<string, Mount> {
    const { cwd, environment } = this.#options;
    const shared = [...SHARED_FOLDERS, tmpdir(), this.#folder].map(realPlaceOrSame);
    const named = [environment["HOME"] ?? "/", cwd].map(realPlaceOrSame);
    const seen = named.filter((path) => shared.some((folder) => isWithin(folder, path)));
    return new Map<string, Mount>([
      ...shared.map((path) => [path, { kind: "private", name: path }] as const),
      ...seen.map((path) => [path, { kind: "read-only" }] as const),
      ...[...mounts].map(([path, mount]) => [realPlaceOrSame(path), mount] as const),
    ]);
  }
}

import { realpathSync } from "node:fs";
import { join } from "node:path";
import { AbsentPaths, type Held } from "./absent-paths.ts";
import type { SandboxOptions } from "./enclosure.ts";
import type { FilteringProxy } from "./network/proxy.ts";
import { ProcessGroupLimit } from "./process-limits.ts";
import { runFolder } from "./run-folder.ts";

/** Milliseconds for which a command may create something when it has ended: what it left running is killed a moment later. */
const GRACE = 50;

/** What the sandboxes of an agent share. */
export class SandboxParts {
  readonly options: SandboxOptions;
  readonly program: string;
  /** Real. */
  readonly agentDir: string;
  /** The folder that all sandboxes of the user share. */
  readonly folder: string;
  readonly limit: ProcessGroupLimit;
  readonly absentPaths: AbsentPaths;
  /** By their hosts, as JSON. */
  readonly #proxies = new Map<string, Promise<FilteringProxy>>();
  readonly #leaving = new Set<() => void>();

  /** Throws the file system's error. */
  constructor(options: SandboxOptions, program: string) {
    this.options = options;
    this.program = program;
    this.agentDir = realpathSync.native(options.agentDir);
    this.folder = runFolder();
    this.limit = new ProcessGroupLimit();
    this.absentPaths = new AbsentPaths({ ...options, folder: this.folder, group: this.limit.folder });
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

  /** The socket of a proxy that connects to these hosts only. Rejects with the system's error. */
  proxyTo(hosts: readonly string[]): Promise<string> {
    const key = JSON.stringify(hosts);
    const known = this.#proxies.get(key);
    if (known) return known.then(({ path }) => path);
    const opened = this.#openProxy(hosts);
    this.#proxies.set(key, opened);
    // The next attempt may succeed.
    opened.catch(() => this.#proxies.delete(key));
    return opened.then(({ path }) => path);
  }

  /** Never rejects. */
  async close(): Promise<void> {
    if (this.#leaving.size > 0) await Bun.sleep(GRACE);
    for (const leave of this.#leaving) leave();
    await this.absentPaths.close();
    for (const proxy of await Promise.allSettled(this.#proxies.values())) {
      if (proxy.status === "fulfilled") proxy.value.close();
    }
    this.limit.close();
  }

  async #openProxy(hosts: readonly string[]): Promise<FilteringProxy> {
    const { FilteringProxy } = await import("./network/proxy.ts");
    return FilteringProxy.open({ path: join(this.folder, `${process.pid}-${crypto.randomUUID()}.sock`), hosts });
  }
}

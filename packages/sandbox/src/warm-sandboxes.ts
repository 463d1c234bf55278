import { type Holder, isHeld } from "./holder.ts";
import { CLOSED, SandboxStartError } from "./sandbox-errors.ts";
import { WarmSandbox, type WarmSandboxOptions } from "./warm-sandbox.ts";

/** The parts of a sandbox. */
export interface SandboxPlan extends Pick<WarmSandboxOptions, "mounts" | "prelude" | "hasChannel"> {
  /** The reachable hosts: all that this machine reaches, or a list. */
  readonly hosts: "all" | readonly string[];
  /** Whether its loopback is connected to the proxy for the list of hosts. */
  readonly hasProxy: boolean;
  /** Identifies the files that are mounted. */
  readonly stamp: string;
  /**
   * Names of the additional variables of its commands. A sandbox is not shared with other commands, which could leave files there
   * that these run.
   */
  readonly environment: readonly string[];
}

interface WarmSandboxesOptions extends Pick<WarmSandboxOptions, "programs" | "folder" | "watch"> {
  /** Opens a file with the filter of system calls, if there is one. Rejects with the system's error. */
  readonly openFilter: () => Promise<number | undefined>;
  /** Makes the shared folders. Rejects with the system's error. */
  readonly openBase: () => Promise<Holder>;
  /** The command that connects the loopback of a sandbox to a proxy for these hosts. Rejects with the system's error. */
  readonly bridgeTo: (hosts: readonly string[]) => Promise<readonly string[]>;
}

interface OpenedSandbox {
  readonly opening: Promise<WarmSandbox>;
  /** Absent until it is open. */
  sandbox?: WarmSandbox;
}

/** The most sandboxes that stay open; the least recently used ends first. */
const MAX_COUNT = 8;

/** The sandboxes of an agent, each for one plan. */
export class WarmSandboxes {
  readonly #options: WarmSandboxesOptions;
  #base: Promise<Holder> | undefined;
  #filter: Promise<number | undefined> | undefined;
  /** By plan as JSON; the most recently used is last. */
  readonly #all = new Map<string, OpenedSandbox>();
  #isClosed = false;

  constructor(options: WarmSandboxesOptions) {
    this.#options = options;
  }

  /** Starts the shared parts; resolves when they run or have failed. Never rejects. */
  async prepare(): Promise<void> {
    await this.#openBase().catch(() => {});
  }

  /** The sandbox of a plan; makes it if it does not exist. Rejects with `SandboxStartError`, or the system's error. */
  async of(plan: SandboxPlan): Promise<WarmSandbox> {
    if (this.isClosed) throw new SandboxStartError(CLOSED);
    const key = JSON.stringify(plan);
    const entry: OpenedSandbox = this.#all.get(key) ?? { opening: this.#open(plan) };
    this.#all.delete(key);
    this.#all.set(key, entry);
    this.#dropOldest();
    const sandbox = await entry.opening.catch((error: unknown) => {
      this.#forget(key, entry);
      throw error;
    });
    entry.sandbox = sandbox;
    if (sandbox.isOpen) return sandbox;
    this.#forget(key, entry);
    return this.of(plan);
  }

  /** Whether a shell waits for the next command. */
  get hasWaitingShell(): boolean {
    return this.#all.values().some(({ sandbox }) => sandbox?.hasWaitingShell === true);
  }

  /** Ends the waiting shells. Never throws. */
  async rest(): Promise<void> {
    await Promise.all([...this.#all.values()].map(({ sandbox }) => sandbox?.rest()));
  }

  /** Whether `close` was called: no sandbox starts any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Ends all sandboxes. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#all.values()].map(({ opening }) => opening);
    this.#all.clear();
    await Promise.all(all.map(closed));
    await this.#base?.then(
      (base) => base.close(),
      () => {},
    );
    this.#base = undefined;
  }

  #forget(key: string, entry: OpenedSandbox): void {
    if (this.#all.get(key) === entry) this.#all.delete(key);
  }

  /** Sandboxes with running commands stay. */
  #dropOldest(): void {
    const surplus = this.#all.size - MAX_COUNT;
    const isIdle = ([, { sandbox }]: readonly [string, OpenedSandbox]): boolean => sandbox?.isIdle ?? false;
    for (const [key, { opening }] of [...this.#all].filter(isIdle).slice(0, Math.max(0, surplus))) {
      this.#all.delete(key);
      void closed(opening);
    }
  }

  async #open({ hosts, hasProxy, stamp: _, environment: __, ...plan }: SandboxPlan): Promise<WarmSandbox> {
    const { openBase: ___, openFilter: ____, bridgeTo, ...shared } = this.#options;
    const base = await this.#openBase();
    const hasPrivateNetwork = hosts !== "all";
    const sandbox = await WarmSandbox.open({ ...shared, ...plan, base, hasPrivateNetwork }, () => this.#openFilter());
    if (hosts !== "all" && hasProxy) sandbox.connect(bridgeTo(hosts));
    return sandbox;
  }

  #openFilter(): Promise<number | undefined> {
    const opening = this.#filter ?? this.#options.openFilter();
    this.#filter = opening;
    // The next sandbox tries again.
    opening.catch(() => {
      this.#filter = undefined;
    });
    return opening;
  }

  async #openBase(): Promise<Holder> {
    const opening = this.#base ?? this.#options.openBase();
    this.#base = opening;
    const base = await opening.catch((error: unknown) => {
      this.#base = undefined;
      throw error;
    });
    if (isHeld(base)) return base;
    if (this.#base === opening) this.#base = undefined;
    return this.#openBase();
  }
}

const closed = (opening: Promise<WarmSandbox>): Promise<void> =>
  opening.then(
    (sandbox) => sandbox.close(),
    () => {},
  );

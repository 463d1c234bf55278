import type { Holder } from "./holder.ts";
import { WarmSandbox, type WarmSandboxOptions } from "./warm-sandbox.ts";

/** What a sandbox is made of. */
export interface SandboxPlan extends Pick<WarmSandboxOptions, "mounts" | "prelude" | "inside" | "hasChannel"> {
  /** The hosts that it reaches: all that this machine does, or a list. */
  readonly hosts: "all" | readonly string[];
  /** Identifies the files that are mounted. */
  readonly stamp: string;
}

interface WarmSandboxesOptions extends Pick<WarmSandboxOptions, "programs" | "before" | "filter" | "watch"> {
  /** Makes the folders that all of them share. Rejects with the system's error. */
  readonly openBase: () => Promise<Holder>;
  /** The command that connects the loopback of a sandbox to a proxy for these hosts. Rejects with the system's error. */
  readonly bridgeTo: (hosts: readonly string[]) => Promise<readonly string[]>;
}

/** Sandboxes that stay at a time; the one that was used the longest ago ends first. */
const MOST = 8;

/** The sandboxes of an agent, each for one plan. */
export class WarmSandboxes {
  readonly #options: WarmSandboxesOptions;
  #base: Promise<Holder> | undefined;
  /** By their plan as JSON; the one that was used last comes last. */
  readonly #all = new Map<string, Promise<WarmSandbox>>();

  constructor(options: WarmSandboxesOptions) {
    this.#options = options;
  }

  /** The sandbox of a plan, which is made if it is not there. Rejects with `SandboxStartError`, or the system's error. */
  async of(plan: SandboxPlan): Promise<WarmSandbox> {
    const key = JSON.stringify(plan);
    const opening = this.#all.get(key) ?? this.#open(plan);
    this.#all.delete(key);
    this.#all.set(key, opening);
    this.#dropOldest();
    const sandbox = await opening.catch((error: unknown) => {
      this.#forget(key, opening);
      throw error;
    });
    if (sandbox.isOpen) return sandbox;
    this.#forget(key, opening);
    return this.of(plan);
  }

  /** Ends all of them. Never rejects. */
  async close(): Promise<void> {
    const all = [...this.#all.values()];
    this.#all.clear();
    await Promise.all(all.map(closed));
    await this.#base?.then(
      (base) => base.close(),
      () => {},
    );
    this.#base = undefined;
  }

  #forget(key: string, opening: Promise<WarmSandbox>): void {
    if (this.#all.get(key) === opening) this.#all.delete(key);
  }

  #dropOldest(): void {
    for (const [key, opening] of this.#all) {
      if (this.#all.size <= MOST) return;
      this.#all.delete(key);
      void closed(opening);
    }
  }

  async #open({ hosts, stamp: _, ...plan }: SandboxPlan): Promise<WarmSandbox> {
    const { openBase: __, bridgeTo, ...shared } = this.#options;
    const base = await this.#openBase();
    const hasOwnNetwork = hosts !== "all";
    const sandbox = await WarmSandbox.open({ ...shared, ...plan, base, hasOwnNetwork });
    if (hosts === "all" || hosts.length === 0) return sandbox;
    try {
      await sandbox.connect(await bridgeTo(hosts));
      return sandbox;
    } catch (error) {
      sandbox.close();
      throw error;
    }
  }

  async #openBase(): Promise<Holder> {
    const opening = this.#base ?? this.#options.openBase();
    this.#base = opening;
    const base = await opening.catch((error: unknown) => {
      this.#base = undefined;
      throw error;
    });
    if (base.isOpen) return base;
    if (this.#base === opening) this.#base = undefined;
    return this.#openBase();
  }
}

const closed = (opening: Promise<WarmSandbox>): Promise<void> =>
  opening.then(
    (sandbox) => sandbox.close(),
    () => {},
  );

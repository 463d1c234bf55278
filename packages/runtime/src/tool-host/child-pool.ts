import type { HostChild } from "./host-child.ts";

/** Idle processes that are kept; each holds some 3 MB of its own. */
const IDLE_LIMIT = 8;

/**
 * Milliseconds for which a contained process waits for its next call. Meanwhile the agent directory contains placeholders,
 * which people and git see, for files that the process must not create.
 */
const IDLE_MILLISECONDS = 5_000;

interface IdleChild {
  readonly key: string;
  readonly child: HostChild;
  readonly expiry: ReturnType<typeof setTimeout> | undefined;
}

/** Tool host processes, each for one tool: what a tool leaves behind in its process never affects another tool. */
export class ChildPool {
  readonly #all = new Set<HostChild>();
  /** The one that has been idle the longest comes first. */
  #idle: IdleChild[] = [];
  readonly #idleMilliseconds: number;

  /** How long a contained process is kept; default 5 seconds. */
  constructor(idleMilliseconds: number = IDLE_MILLISECONDS) {
    this.#idleMilliseconds = idleMilliseconds;
  }

  /** Takes an idle process of this key out of the pool, if there is one. */
  take(key: string): HostChild | undefined {
    this.retire();
    const idle = this.#idle.findLast((entry) => entry.key === key);
    this.#idle = this.#idle.filter((entry) => entry !== idle);
    clearTimeout(idle?.expiry);
    return idle?.child;
  }

  /** Adds a new process, which is in use. */
  add(child: HostChild): HostChild {
    this.#all.add(child);
    void child.ended.then(() => this.#remove(child));
    return child;
  }

  /** Kills the idle processes that may not be used any more, and returns their keys. */
  retire(): readonly string[] {
    const unusable = this.#idle.filter(({ child }) => !child.usable);
    this.#idle = this.#idle.filter((entry) => !unusable.includes(entry));
    for (const { child } of unusable) child.kill();
    return unusable.map(({ key }) => key);
  }

  /** Keeps a process for the next call of its key. */
  give(key: string, child: HostChild): void {
    const expiry = child.contained ? setTimeout(() => child.kill(), this.#idleMilliseconds) : undefined;
    expiry?.unref();
    this.#idle.push({ key, child, expiry });
    this.retire();
    if (this.#idle.length > IDLE_LIMIT) this.#idle.shift()?.child.kill();
  }

  /** Kills all processes and waits for their end. */
  async close(): Promise<void> {
    const all = [...this.#all];
    for (const child of all) child.kill();
    await Promise.all(all.map((child) => child.ended));
  }

  #remove(child: HostChild): void {
    this.#all.delete(child);
    this.#idle = this.#idle.filter((entry) => entry.child !== child);
  }
}

import type { HostChild } from "./host-child.ts";

/** Idle processes that are kept; each holds some 3 MB of its own. */
const IDLE_LIMIT = 8;

/**
 * Milliseconds for which a contained process waits for its next call: while it is there, empty files and folders stand in the
 * agent directory for what must not come to be, where people and git see them.
 */
const IDLE_MILLISECONDS = 5_000;

interface IdleChild {
  readonly key: string;
  readonly child: HostChild;
  readonly expiry: ReturnType<typeof setTimeout> | undefined;
}

/** Tool host processes, each for one tool: what a tool leaves behind in its process never meets another tool. */
export class ChildPool {
  readonly #all = new Set<HostChild>();
  /** The one that has been idle for longest comes first. */
  #idle: IdleChild[] = [];
  readonly #idleMilliseconds: number;

  /** How long a contained process is kept; 5 seconds where it is not said. */
  constructor(idleMilliseconds: number = IDLE_MILLISECONDS) {
    this.#idleMilliseconds = idleMilliseconds;
  }

  /** An idle process of this key. */
  take(key: string): HostChild | undefined {
    this.#dropUnusable();
    const idle = this.#idle.findLast((entry) => entry.key === key);
    this.#idle = this.#idle.filter((entry) => entry !== idle);
    clearTimeout(idle?.expiry);
    return idle?.child;
  }

  /** Takes a new process in, which is in use. */
  add(child: HostChild): HostChild {
    this.#all.add(child);
    void child.ended.then(() => this.#remove(child));
    return child;
  }

  /** Kills the idle processes that may not be used any more, and gives their keys. */
  retire(): readonly string[] {
    return this.#dropUnusable();
  }

  /** Keeps a process for the next call of this key. */
  give(key: string, child: HostChild): void {
    const expiry = child.contained ? setTimeout(() => child.kill(), this.#idleMilliseconds) : undefined;
    expiry?.unref();
    this.#idle.push({ key, child, expiry });
    this.#dropUnusable();
    if (this.#idle.length > IDLE_LIMIT) this.#idle.shift()?.child.kill();
  }

  /** Kills all processes and waits for their end. */
  async close(): Promise<void> {
    const all = [...this.#all];
    for (const child of all) child.kill();
    await Promise.all(all.map((child) => child.ended));
  }

  #dropUnusable(): readonly string[] {
    const unusable = this.#idle.filter(({ child }) => !child.usable);
    this.#idle = this.#idle.filter((entry) => !unusable.includes(entry));
    for (const { child } of unusable) child.kill();
    return unusable.map(({ key }) => key);
  }

  #remove(child: HostChild): void {
    this.#all.delete(child);
    this.#idle = this.#idle.filter((entry) => entry.child !== child);
  }
}

import type { HostChild } from "./host-child.ts";

/** Idle processes that are kept; each holds some 3 MB of its own. */
const IDLE_LIMIT = 8;

interface IdleChild {
  readonly key: string;
  readonly child: HostChild;
}

/** Tool host processes, each for one tool: what a tool leaves behind in its process never meets another tool. */
export class ChildPool {
  readonly #all = new Set<HostChild>();
  /** The one that has been idle for longest comes first. */
  #idle: IdleChild[] = [];

  /** An idle process of this key. */
  take(key: string): HostChild | undefined {
    this.#dropUnusable();
    const idle = this.#idle.findLast((entry) => entry.key === key);
    this.#idle = this.#idle.filter((entry) => entry !== idle);
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
    this.#idle.push({ key, child });
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

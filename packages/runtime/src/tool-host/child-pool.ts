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

  /** An idle process of this key, else a new one. */
  take(key: string, start: () => HostChild): HostChild {
    const idle = this.#idle.findLast((entry) => entry.key === key && entry.child.usable);
    if (!idle) return this.#add(start());
    this.#idle = this.#idle.filter((entry) => entry !== idle);
    return idle.child;
  }

  /** Keeps a process for the next call of this key. */
  give(key: string, child: HostChild): void {
    if (!child.usable) return;
    this.#idle.push({ key, child });
    if (this.#idle.length > IDLE_LIMIT) this.#idle.shift()?.child.kill();
  }

  /** Kills all processes and waits for their end. */
  async close(): Promise<void> {
    const all = [...this.#all];
    for (const child of all) child.kill();
    await Promise.all(all.map((child) => child.ended));
  }

  #add(child: HostChild): HostChild {
    this.#all.add(child);
    void child.ended.then(() => this.#remove(child));
    return child;
  }

  #remove(child: HostChild): void {
    this.#all.delete(child);
    this.#idle = this.#idle.filter((entry) => entry.child !== child);
  }
}

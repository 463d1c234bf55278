import type { FilteringProxy } from "./proxy.ts";

/** The proxies of an agent's sandboxes, each for one list of hosts. */
export class Proxies {
  readonly #newPath: (() => string) | undefined;
  /** By host list as JSON. */
  readonly #all = new Map<string, Promise<FilteringProxy>>();

  /** Returns the socket path for a new proxy; if absent, proxies listen on ports of the loopback. */
  constructor(newPath?: () => string) {
    this.#newPath = newPath;
  }

  /** A proxy that connects to these hosts only. Rejects with the system's error. */
  to(hosts: readonly string[]): Promise<FilteringProxy> {
    const key = JSON.stringify(hosts);
    const opening = this.#all.get(key) ?? this.#open(hosts);
    this.#all.set(key, opening);
    // The next attempt may succeed.
    opening.catch(() => this.#all.delete(key));
    return opening;
  }

  /** Never rejects. */
  async close(): Promise<void> {
    for (const proxy of await Promise.allSettled(this.#all.values())) {
      if (proxy.status === "fulfilled") proxy.value.close();
    }
  }

  async #open(hosts: readonly string[]): Promise<FilteringProxy> {
    const { FilteringProxy } = await import("./proxy.ts");
    const path = this.#newPath?.();
    return FilteringProxy.open({ hosts, ...(path !== undefined && { path }) });
  }
}

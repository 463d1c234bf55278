import type { KeyInjector } from "../credentials/key-injector.ts";
import type { FilteringProxy } from "./proxy.ts";

/** The proxies of an agent's sandboxes, each for one list of hosts. */
export class Proxies {
  readonly #newPath: (() => string) | undefined;
  /** Puts keys into requests; undefined without a credential. */
  readonly keys: KeyInjector | undefined;
  /** By host list as JSON. */
  readonly #all = new Map<string, Promise<FilteringProxy>>();

  /** Takes a function that returns the socket path for a new proxy; if absent, proxies listen on ports of the loopback. */
  constructor(newPath?: () => string, keys?: KeyInjector) {
    this.#newPath = newPath;
    this.keys = keys;
  }

  /**
   * A proxy that connects to these hosts only. One for all hosts listens on a port of the loopback, and serves only clients that
   * know its password. Rejects with the system's error.
   */
  to(hosts: "all" | readonly string[]): Promise<FilteringProxy> {
    const key = JSON.stringify(hosts);
    const opening = this.#all.get(key) ?? this.#open(hosts);
    this.#all.set(key, opening);
    // The next attempt may succeed.
    opening.catch(() => this.#all.delete(key));
    return opening;
  }

  /** Never rejects. */
  async close(): Promise<void> {
    for (const opened of await Promise.allSettled(this.#all.values())) {
      if (opened.status === "fulfilled") opened.value.close();
    }
    this.keys?.close();
  }

  async #open(hosts: "all" | readonly string[]): Promise<FilteringProxy> {
    const { FilteringProxy } = await import("./proxy.ts");
    const { keys } = this;
    if (hosts === "all") return FilteringProxy.open({ hosts, keys, password: crypto.randomUUID() });
    const path = this.#newPath?.();
    return FilteringProxy.open({ hosts, keys, ...(path !== undefined && { path }) });
  }
}

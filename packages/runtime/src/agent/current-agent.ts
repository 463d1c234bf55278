import { lineText, Semaphore } from "@mdx-ai/base";
import type { Agent } from "../types/agent.ts";
import { loadAgent } from "./load-agent.ts";
import { closeLoaded, type LoadAgentOptions, type LoadedAgent, type ReadAgent } from "./loaded-agent.ts";
import type { ModuleHost } from "./module-services.ts";
import { NO_MODULES, openModules, withModules } from "./open-modules.ts";

/** Returns the current options of an agent, which may change while it is open. */
export interface CurrentOptions {
  readonly loaded: Pick<LoadedAgent, "options">;
}

/** The current reading of an agent's files. A running prompt keeps the reading that it began with. */
export class CurrentAgent {
  readonly #parts: LoadAgentOptions & ModuleHost;
  readonly #agent: Agent;
  readonly #refreshing = new Semaphore();
  /** The latest reading. Set only here. */
  loaded: LoadedAgent;
  /** How many prompts use each reading. */
  readonly #users = new Map<LoadedAgent, number>();

  constructor(read: ReadAgent, agent: Agent, parts: LoadAgentOptions & ModuleHost) {
    this.loaded = withModules(read, { modules: NO_MODULES, servers: [] }, parts);
    this.#agent = agent;
    this.#parts = parts;
  }

  /** Loads and starts the modules. Call it once, before the first prompt. */
  async openModules(): Promise<void> {
    this.loaded = await this.#withModules(this.loaded);
  }

  /** Loads the current files and runs `work` with them. They stay open until the work ends. */
  async use<Result>(signal: AbortSignal, work: (loaded: LoadedAgent) => Promise<Result>): Promise<Result> {
    if (this.loaded.options.refresh) await this.#refreshing.runUnlessAborted(signal, () => this.#refresh(signal));
    const loaded = this.loaded;
    this.#users.set(loaded, this.#usersOf(loaded) + 1);
    try {
      return await work(loaded);
    } finally {
      this.#users.set(loaded, this.#usersOf(loaded) - 1);
      await this.#letGo(loaded);
    }
  }

  /** Closes the agents that work for this one. Their prompts stay interrupted. Never rejects. */
  async closeAgents(): Promise<void> {
    await Promise.all(this.#inUse.map(({ agents }) => agents?.close()));
  }

  /** Ends background commands, and closes the tool hosts and the modules that are kept. Never rejects. */
  async close(): Promise<void> {
    await this.loaded.background.end();
    await Promise.all(this.#inUse.flatMap((loaded) => [closeLoaded(loaded), loaded.modules.release()]));
  }

  /** On failure, warns and keeps the agent as it was. Never rejects. */
  async #refresh(signal: AbortSignal): Promise<void> {
    const before = this.loaded;
    try {
      const changes = await this.loaded.options.refresh?.(signal);
      if (!changes) return;
      const loaded = await loadAgent({ ...before.options, ...changes }, this.#parts, before);
      this.loaded = await this.#withModules(loaded, before);
      await this.#letGo(before);
    } catch (error) {
      this.loaded.options.onWarning(`the agent stays as it was: ${lineText(error)}`);
    }
  }

  async #letGo(loaded: LoadedAgent): Promise<void> {
    if (this.#usersOf(loaded) > 0) return;
    const background = loaded === this.loaded ? undefined : loaded.background.settled();
    if (background !== undefined) {
      // They may run in its sandbox, which closing it would end.
      void background.then(() => this.#letGo(loaded));
      return;
    }
    this.#users.delete(loaded);
    if (loaded === this.loaded) return;
    await Promise.all([closeLoaded(loaded), loaded.modules.release(this.#inUse.map(({ modules }) => modules))]);
  }

  get #inUse(): readonly LoadedAgent[] {
    return [this.loaded, ...this.#users.keys()];
  }

  #usersOf(loaded: LoadedAgent): number {
    return this.#users.get(loaded) ?? 0;
  }

  async #withModules(loaded: ReadAgent, before?: LoadedAgent): Promise<LoadedAgent> {
    return withModules(
      loaded,
      await openModules({ loaded, before }, { ...this.#parts, agent: this.#agent }),
      this.#parts,
    );
  }
}

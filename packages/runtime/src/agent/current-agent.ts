import { lineText } from "../log/line-text.ts";
import type { Agent, AgentOptions } from "../types/agent.ts";
import { type LoadAgentOptions, loadAgent, withModules } from "./load-agent.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { openModules } from "./open-modules.ts";

export interface CurrentAgentParts extends LoadAgentOptions {
  readonly onWarning: (message: string) => void;
}

/** What an agent is by now: as its files made it last. */
export class CurrentAgent {
  readonly #parts: CurrentAgentParts;
  #loaded: LoadedAgent;

  /** With an agent without its modules. */
  constructor(loaded: LoadedAgent, parts: CurrentAgentParts) {
    this.#loaded = loaded;
    this.#parts = parts;
  }

  get loaded(): LoadedAgent {
    return this.#loaded;
  }

  get options(): AgentOptions {
    return this.#loaded.options;
  }

  /** Loads and starts the modules. To be called once, before the first prompt. */
  async openModules(agent: Agent): Promise<void> {
    this.#loaded = await this.#withModules(agent, this.#loaded);
  }

  /** Takes up what the files have become. What goes wrong is warned of, and leaves all as it was. Never rejects. */
  async refresh(agent: Agent, signal: AbortSignal): Promise<void> {
    const before = this.#loaded;
    try {
      const changes = await this.options.refresh?.(signal);
      if (!changes) return;
      const loaded = await loadAgent({ ...before.options, ...changes }, this.#parts, before);
      this.#loaded = await this.#withModules(agent, loaded, before);
      await before.host.close();
    } catch (error) {
      this.#parts.onWarning(`the agent stays as it was: ${lineText(error)}`);
    }
  }

  async #withModules(agent: Agent, loaded: LoadedAgent, before?: LoadedAgent): Promise<LoadedAgent> {
    return withModules(loaded, await openModules({ loaded, before }, { ...this.#parts, agent }), this.#parts.log);
  }
}

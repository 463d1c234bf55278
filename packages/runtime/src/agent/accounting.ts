import { join } from "node:path";
import type { AssistantMessage, LanguageModel } from "@mdx-ai/models";
import type { ModelFacts } from "@mdx-ai/models/prices";
import { Ledger } from "../spending/ledger.ts";
import type { AgentOptions, Clock } from "../types/agent.ts";
import type { Spending } from "../types/event.ts";

export interface AccountingOptions {
  readonly options: AgentOptions;
  readonly clock: Clock;
  readonly onWarning: (message: string) => void;
}

/** The prompt that an answer belongs to. */
interface PromptPlace {
  readonly session: string;
  readonly prompt: number;
}

/** Knows what models cost and hold, and keeps the agent's ledger. Prices are loaded when first asked for. */
export class Accounting {
  readonly #options: AccountingOptions;
  readonly #ledger: Ledger;
  #factsOf: Promise<(provider: string, name: string) => ModelFacts> | undefined;

  constructor(accounting: AccountingOptions) {
    const { options, onWarning } = accounting;
    this.#options = accounting;
    this.#ledger = new Ledger({
      path: join(options.directory.path, "state", "usage.jsonl"),
      isEphemeral: options.ephemeral ?? false,
      onWarning,
    });
  }

  /** Writes an answer down; gives US dollars where its price is known. Never rejects. */
  async spend(answer: AssistantMessage, place: PromptPlace): Promise<number | undefined> {
    const { provider, model, usage, latency } = answer;
    if (usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0) return undefined;
    const { costOf } = await import("@mdx-ai/models/prices");
    const usd = costOf(usage, await this.#facts(provider, model));
    this.#ledger.record({
      at: new Date(this.#options.clock.now()).toISOString(),
      ...place,
      model: `${provider}/${model}`,
      ...usage,
      ...(usd !== undefined && { usd }),
      ...(latency !== undefined && { latency }),
    });
    return usd;
  }

  /** Tokens that a model's window holds; undefined where nobody knows. */
  async windowOf({ provider, name }: LanguageModel): Promise<number | undefined> {
    return (await this.#facts(provider, name)).window;
  }

  /** The first of some models whose price nobody knows. */
  async unpriced(models: readonly LanguageModel[]): Promise<LanguageModel | undefined> {
    const facts = await Promise.all(models.map(({ provider, name }) => this.#facts(provider, name)));
    return models.find((_, place) => facts[place]?.input === undefined);
  }

  /** What was spent today, over all sessions of the agent. */
  today(): Spending {
    return this.#ledger.today(this.#options.clock.now());
  }

  async #facts(provider: string, name: string): Promise<ModelFacts> {
    this.#factsOf ??= this.#load();
    return (await this.#factsOf)(provider, name);
  }

  async #load(): Promise<(provider: string, name: string) => ModelFacts> {
    const { options, onWarning } = this.#options;
    const { modelFacts, readPrices } = await import("@mdx-ai/models/prices");
    const tables = await readPrices(options.environment, onWarning);
    return (provider, name) => modelFacts(provider, name, tables);
  }
}

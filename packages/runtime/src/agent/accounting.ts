import type { AssistantMessage, LanguageModel } from "@mdx-ai/models";
import type { ModelFacts } from "@mdx-ai/models/prices";
import { dataLayout } from "../layout.ts";
import { totalTokens } from "../spending/spending.ts";
import { type UsageLine, UsageLog } from "../spending/usage-log.ts";
import type { AgentOptions, Clock } from "../types/agent.ts";
import type { Spending } from "../types/event.ts";
import { openPriceBook, type PriceBook } from "./price-book.ts";

export interface AccountingOptions {
  /** As they are now. */
  readonly options: () => AgentOptions;
  readonly clock: Clock;
  readonly onWarning: (message: string) => void;
}

/** The prompt that an answer belongs to. */
interface PromptPlace {
  readonly session: string;
  readonly prompt: number;
}

/** Milliseconds that lines of the usage log may wait, so that they are written while a model is waited for. */
const WRITE_DELAY = 100;

/** Knows the prices and windows of models, and keeps the agent's usage log. Loads prices lazily. */
export class Accounting {
  readonly #options: AccountingOptions;
  readonly #usage: UsageLog;
  #book: Promise<PriceBook> | undefined;
  #pending: UsageLine[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(accounting: AccountingOptions) {
    const { onWarning } = accounting;
    const options = accounting.options();
    this.#options = accounting;
    this.#usage = new UsageLog({
      path: dataLayout(options.dataDirectory ?? options.directory.path).usage,
      isKept: () => !options.ephemeral || this.#isLimited,
      onWarning,
    });
  }

  /** Whether a limit depends on the usage log, so that not even a kill may lose a line. */
  get #isLimited(): boolean {
    return this.#options.options().directory.definition.settings.limits?.day !== undefined;
  }

  /** Notes the usage of an answer; returns its cost in US dollars if the price is known. Never rejects. */
  async spend(answer: AssistantMessage, place: PromptPlace, facts?: ModelFacts): Promise<number | undefined> {
    const { provider, model, usage, latency } = answer;
    if (totalTokens(usage) === 0) return undefined;
    const usd = (await this.#prices()).costOf(answer, facts);
    const cost = { ...(usd !== undefined && { usd }), ...(latency !== undefined && { latency }) };
    const at = new Date(this.#options.clock.now()).toISOString();
    this.#pending.push({ at, ...place, model: `${provider}/${model}`, ...usage, ...cost });
    if (this.#isLimited) this.settle();
    else this.#timer ??= setTimeout(() => this.settle(), WRITE_DELAY);
    return usd;
  }

  /** Writes what was noted. */
  settle(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const line of this.#pending.splice(0)) this.#usage.record(line);
  }

  /** What is known of a model: its window and its prices. */
  async factsOf(provider: string, name: string): Promise<ModelFacts> {
    return (await this.#prices()).factsOf(provider, name);
  }

  /** The first of these models whose price is unknown. */
  async unpriced(models: readonly LanguageModel[]): Promise<LanguageModel | undefined> {
    const facts = await Promise.all(models.map(({ provider, name }) => this.factsOf(provider, name)));
    return models.find((_, place) => facts[place]?.input === undefined);
  }

  /** The usage of today, over all sessions of the agent. */
  today(): Spending {
    this.settle();
    return this.#usage.today(this.#options.clock.now());
  }

  #prices(): Promise<PriceBook> {
    const { options, onWarning } = this.#options;
    this.#book ??= openPriceBook(options().environment, onWarning);
    return this.#book;
  }
}

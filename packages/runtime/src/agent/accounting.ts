import { join } from "node:path";
import type { AssistantMessage, LanguageModel } from "@mdx-ai/models";
import type { ModelFacts } from "@mdx-ai/models/prices";
import { Ledger } from "../spending/ledger.ts";
import type { LedgerLine } from "../spending/ledger-line.ts";
import { totalTokens } from "../spending/spending.ts";
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

/** Milliseconds that lines of the ledger may wait, so that they are written while a model is waited for. */
const LEDGER_DELAY = 20;

/** Knows what models cost and hold, and keeps the agent's ledger. Prices are loaded when first asked for. */
export class Accounting {
  readonly #options: AccountingOptions;
  readonly #ledger: Ledger;
  #book: Promise<PriceBook> | undefined;
  #waiting: LedgerLine[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(accounting: AccountingOptions) {
    const { onWarning } = accounting;
    const options = accounting.options();
    this.#options = accounting;
    this.#ledger = new Ledger({
      path: join(options.directory.path, "state", "usage.jsonl"),
      isEphemeral: () => (options.ephemeral ?? false) && !this.#countsDay,
      onWarning,
    });
  }

  /** Notes what an answer came to; gives US dollars where its price is known. Never rejects. */
  async spend(answer: AssistantMessage, place: PromptPlace, facts?: ModelFacts): Promise<number | undefined> {
    const { provider, model, usage, latency } = answer;
    if (totalTokens(usage) === 0) return undefined;
    const usd = (await this.#prices()).costOf(answer, facts);
    const cost = { ...(usd !== undefined && { usd }), ...(latency !== undefined && { latency }) };
    const at = new Date(this.#options.clock.now()).toISOString();
    this.#waiting.push({ at, ...place, model: `${provider}/${model}`, ...usage, ...cost });
    if (this.#countsDay) this.settle();
    else this.#timer ??= setTimeout(() => this.settle(), LEDGER_DELAY);
    return usd;
  }

  /** Writes down what was noted. */
  settle(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const line of this.#waiting.splice(0)) this.#ledger.record(line);
  }

  /** What is known of a model: its window and its prices. */
  async factsOf(provider: string, name: string): Promise<ModelFacts> {
    return (await this.#prices()).factsOf(provider, name);
  }

  /** The first of some models whose price nobody knows. */
  async unpriced(models: readonly LanguageModel[]): Promise<LanguageModel | undefined> {
    const facts = await Promise.all(models.map(({ provider, name }) => this.factsOf(provider, name)));
    return models.find((_, place) => facts[place]?.input === undefined);
  }

  /** What was spent today, over all sessions of the agent. */
  today(): Spending {
    this.settle();
    return this.#ledger.today(this.#options.clock.now());
  }

  /** Whether a limit counts the day, so that not even a kill may cost the usage log a line. */
  get #countsDay(): boolean {
    return this.#options.options().directory.definition.settings.limits?.day !== undefined;
  }

  #prices(): Promise<PriceBook> {
    const { options, onWarning } = this.#options;
    this.#book ??= openPriceBook(options().environment, onWarning);
    return this.#book;
  }
}

import { dataLayout } from "@mdx-ai/base";
import type { Cost, PromptPlan } from "@mdx-ai/loop";
import type { AssistantMessage, LanguageModel } from "@mdx-ai/models";
import type { ModelFacts } from "@mdx-ai/models/prices";
import type { PromptLimits } from "@mdx-ai/parser";
import { type RaiseLine, type Tally, type UsageLine, UsageLog } from "@mdx-ai/sessions";
import type { CurrentOptions } from "./current-agent.ts";
import type { OpenOptions } from "./loaded-agent.ts";

/** Looks up prices and windows of models, and writes the agent's usage log. Loads prices lazily. */
export class Accounting {
  readonly #current: CurrentOptions;
  #opened: UsageLog | undefined;
  #prices: ReturnType<typeof loadPrices> | undefined;
  /** The facts about models, each looked up once. */
  readonly #facts = new Map<string, ModelFacts>();

  constructor(current: CurrentOptions) {
    this.#current = current;
  }

  /** Opened for the first line. */
  get #usage(): UsageLog {
    const { dataDirectory, ephemeral, onWarning } = this.#current.loaded.options;
    const isKept = (): boolean => !ephemeral || this.#isLimited;
    this.#opened ??= new UsageLog({ path: dataLayout(dataDirectory).usage, isKept, onWarning });
    return this.#opened;
  }

  /** Whether a limit depends on the usage log, also without sessions on disk. */
  get #isLimited(): boolean {
    const { day, agent } = this.#current.loaded.options.directory.definition.settings.limits ?? {};
    return day !== undefined || agent !== undefined;
  }

  /** Records the usage of an answer; resolves to its cost in US dollars, if the price is known. Never rejects. */
  async spend(
    answer: AssistantMessage,
    place: Pick<UsageLine, "session" | "prompt" | "task">,
    facts?: ModelFacts,
  ): Promise<number | undefined> {
    const { provider, model, usage, latency } = answer;
    if (usage.total === 0) return undefined;
    const { costOf } = await this.#loadedPrices();
    const usd = costOf(usage, facts ?? (await this.factsOf(provider, model)));
    const cost = { ...(usd !== undefined && { usd }), ...(latency !== undefined && { latency }) };
    const at = new Date(this.#current.loaded.options.clock.now()).toISOString();
    this.record({ at, ...place, model: `${provider}/${model}`, ...usage, ...cost });
    return usd;
  }

  /** Records a line, also for the agent that this one works for, before the answer is journaled: a kill loses none. */
  record(line: UsageLine): void {
    this.#usage.record(line);
    this.#current.loaded.options.parent?.callOf(line.session)?.spend(line);
  }

  /** Writes what could not be written before. */
  settle(): void {
    this.#opened?.record();
  }

  /** Allows more than a limit of a session, a day or the agent. */
  raise(line: RaiseLine): void {
    this.#usage.raise(line);
  }

  /** Returns the window and prices of a model. */
  async factsOf(provider: string, name: string): Promise<ModelFacts> {
    const { modelFacts, tables } = await this.#loadedPrices();
    const key = `${provider}/${name}`;
    const facts = this.#facts.get(key) ?? modelFacts(provider, name, tables);
    this.#facts.set(key, facts);
    return facts;
  }

  /** Resolves the models of a plan. Rejects with `UnknownPriceError` if a limit is in US dollars, or `isPriced`, and a price is unknown. */
  async plannedModels(
    models: readonly LanguageModel[],
    { usd, session, day, agent }: PromptLimits,
    isPriced = false,
  ): Promise<PromptPlan["models"]> {
    const needsPrices = isPriced || [usd, session?.usd, day?.usd, agent?.usd].some((limit) => limit !== undefined);
    return Promise.all(
      models.map(async (model) => {
        const { provider, name } = model;
        const facts = await this.factsOf(provider, name);
        if (needsPrices && facts.input === undefined) throw new UnknownPriceError(model);
        return { provider, name, facts };
      }),
    );
  }

  /** The usage of today, over all sessions of the agent. */
  today(): Tally {
    return this.#usage.today(this.#current.loaded.options.clock.now());
  }

  /** The usage of all days. */
  total(): Tally {
    return this.#usage.total();
  }

  /** As `UsageLog.ofPrompt`. */
  ofPrompt(place: Pick<UsageLine, "session" | "prompt">, since: number): Cost {
    return this.#usage.ofPrompt(place, since);
  }

  #loadedPrices(): ReturnType<typeof loadPrices> {
    this.#prices ??= loadPrices(this.#current.loaded.options);
    return this.#prices;
  }
}

/** Loads the built-in prices and the user's. Never rejects; a mistake in the user's prices is a warning. */
async function loadPrices({ environment, onWarning }: OpenOptions) {
  const prices = await import("@mdx-ai/models/prices");
  return { ...prices, tables: await prices.readPrices(environment, onWarning) };
}

/** A limit in US dollars cannot be enforced because the price of a model is unknown. */
export class UnknownPriceError extends Error {
  override readonly name = "UnknownPriceError";

  constructor({ provider, name }: LanguageModel) {
    super(
      `the price of ${provider}/${name} is unknown, so a limit in usd cannot be enforced; ` +
        "add the price to ~/.config/mdx-ai/prices.json, or limit tokens instead",
    );
  }
}

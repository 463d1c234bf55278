import { type Clock, untilAborted } from "@mdx-ai/base";
import {
  type AskingCall,
  type BudgetEffects,
  type BudgetSubject,
  type CountedPlan,
  deadlineOf,
  type LimitName,
  type Raised,
  raiseOf,
  reachedUsage,
  type Spent,
  type SpentElsewhere,
  spentOf,
} from "@mdx-ai/loop";
import type { Usage } from "@mdx-ai/models";
import type { RaiseLine, SessionQuestions, Tally } from "@mdx-ai/sessions";

export interface PromptBudgetOptions {
  readonly session: { readonly id: string; readonly key: string };
  readonly plan: CountedPlan;
  /** What it and its agents have cost so far, and what an earlier process has added to its limits. */
  readonly spent: Spent;
  readonly raised: Raised;
  /** The usage log of its agent. */
  readonly usage: { today(): Tally; total(): Tally; raise(line: RaiseLine): void };
  readonly clock: Pick<Clock, "now">;
  /** Seconds that a question waits; undefined if it does not wait. */
  readonly answersWithin: number | undefined;
  readonly questions: () => SessionQuestions;
  /** Waits until the agents above may spend more. Resolves when `signal` fires, too. */
  above?(signal: AbortSignal): Promise<void>;
}

/** A call of an agent that waits for more. */
export interface WaitingAgent {
  readonly asking?: AskingCall | undefined;
  readonly agent: string;
}

/** What a prompt and the agents that work for it may spend, and have spent: the live total of the tree. */
export class PromptBudget implements BudgetEffects {
  readonly #options: PromptBudgetOptions;
  readonly #limit = new AbortController();
  #spent: Spent;
  /** Of the limits of the prompt alone. */
  #raised: Raised;
  #asking: Promise<void> | undefined;
  #isRefused = false;

  constructor(options: PromptBudgetOptions) {
    this.#options = options;
    this.#spent = options.spent;
    this.#raised = options.raised;
  }

  /** Whether a limit is in US dollars, so that prices must be known. */
  get isPriced(): boolean {
    const { usd, session, day, agent } = this.#options.plan.limits;
    return [usd, session?.usd, day?.usd, agent?.usd].some((limit) => limit !== undefined);
  }

  /** Fires when a limit is reached that nobody raises: its agents stop. The prompt ends by itself before its next request. */
  get limitReached(): AbortSignal {
    return this.#limit.signal;
  }

  /** Counts an answer that is in the usage log, of its own model or of an agent's. */
  count(usage: Pick<Usage, "total">, usd: number | undefined): void {
    const { tokens, usd: before } = this.#spent;
    this.#spent = { tokens: tokens + usage.total, usd: before + (usd ?? 0) };
    const reached = this.#reached();
    if (reached !== undefined && raiseOf(this.#options.plan, reached.limit) === undefined) this.#limit.abort();
  }

  async spent(): Promise<SpentElsewhere> {
    return this.#now();
  }

  deadline(): number | undefined {
    return deadlineOf(this.#options.answersWithin, this.#options.clock);
  }

  async raise(limit: LimitName, by: number, id: string): Promise<SpentElsewhere> {
    const { session, usage, clock } = this.#options;
    if (!limit.includes(".")) this.#raised = { ...this.#raised, [limit]: (this.#raised[limit] ?? 0) + by };
    else {
      const at = new Date(clock.now()).toISOString();
      usage.raise({ at, session: session.id, key: session.key, raised: limit, by, id });
    }
    return this.#now();
  }

  async ready(signal: AbortSignal): Promise<void> {
    await this.#options.above?.(signal);
  }

  /** Waits while a limit is reached that the user may raise: asks once for all agents. Resolves when `signal` fires, too. */
  async allow(waiting: WaitingAgent, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#limit.signal.aborted) {
      const reached = this.#reached();
      const adds = reached && raiseOf(this.#options.plan, reached.limit);
      if (reached === undefined || adds === undefined) break;
      this.#asking ??= this.#ask({ kind: "budget", ...reached, adds }, waiting, signal).finally(() => {
        this.#asking = undefined;
      });
      const asking = this.#asking;
      await untilAborted(
        () => asking,
        signal,
        () => {},
      );
    }
    await this.ready(signal);
  }

  async #ask(subject: BudgetSubject, { asking, agent }: WaitingAgent, signal: AbortSignal): Promise<void> {
    const { limit, value, adds } = subject;
    const { answer, by } = await this.#options.questions().askBeside(subject, signal, { asking, agent });
    if (by === "stop") return;
    if (answer !== "no") await this.raise(limit, adds, `${limit}=${value}`);
    else {
      this.#isRefused = true;
      this.#limit.abort();
    }
  }

  #reached() {
    return reachedUsage(this.#options.plan, this.#now());
  }

  #now(): SpentElsewhere {
    const { plan, usage, session } = this.#options;
    const { limits } = plan;
    const today = limits.day && usage.today();
    const total =
      limits.agent || raiseOf(plan, "session.usd") || raiseOf(plan, "session.tokens") ? usage.total() : undefined;
    const raises = [
      ...(today?.raises ?? []).filter(({ raised }) => raised.startsWith("day.")),
      ...(total?.raises ?? []).filter(({ raised, key }) =>
        raised.startsWith("session.") ? key === session.key : raised.startsWith("agent."),
      ),
    ];
    const raised: { [limit in LimitName]?: number } = { ...this.#raised };
    for (const { raised: limit, by } of raises) raised[limit] = (raised[limit] ?? 0) + by;
    return {
      prompt: this.#spent,
      ...(today && { day: spentOf(today.cost) }),
      ...(total && { agent: spentOf(total.cost) }),
      raised,
      ...(this.#isRefused && { isRefused: true }),
    };
  }
}

import { type AgentEvent, addAnswer, type Cost, type PromptPlan, reachedUsage } from "@mdx-ai/loop";
import type { Usage } from "@mdx-ai/models";
import type { SessionQuestions, UsageLine } from "@mdx-ai/sessions";

/** A running prompt whose model may call agents. */
export interface CallingPromptOptions {
  readonly session: { readonly id: string; readonly key: string };
  /** Its number. */
  readonly prompt: number;
  readonly plan: Pick<PromptPlan, "limits" | "spentBefore">;
  /** What it has cost so far, if an earlier process began it. */
  readonly spent: Cost;
  questions(): SessionQuestions;
  emit(event: AgentEvent): void;
  /** Writes to the usage log of the prompt's agent. */
  record(line: UsageLine): void;
  /** Gives the model a message, in this prompt or in a later one. */
  deliver(text: string): Promise<void>;
}

/** A prompt whose agents spend from its limits. */
export class CallingPrompt {
  readonly options: CallingPromptOptions;
  readonly #limit = new AbortController();
  #spent: Cost;

  constructor(options: CallingPromptOptions) {
    this.options = options;
    this.#spent = options.spent;
  }

  /** Fires when a limit is reached: its agents stop. The prompt ends by itself before its next request. */
  get limitReached(): AbortSignal {
    return this.#limit.signal;
  }

  get isPriced(): boolean {
    const { usd, session, day } = this.options.plan.limits;
    return [usd, session?.usd, day?.usd].some((limit) => limit !== undefined);
  }

  /** Counts an answer, of its own model or of an agent's. */
  count(usage: Usage, usd: number | undefined): void {
    this.#spent = addAnswer(this.#spent, { usage }, usd);
    if (reachedUsage(this.options.plan, this.#spent) !== undefined) this.#limit.abort();
  }
}

import { type Progress, raiseOf, reachedLimit, type UsedLimit } from "./limits.ts";
import type { PromptRun } from "./prompt-effects.ts";
import type { BudgetQuestion } from "./step-results.ts";
import { STEPS } from "./steps.ts";
import type { LimitName, ReachedLimit, SpentElsewhere } from "./types/limit.ts";
import type { Answer } from "./types/question.ts";

/** How a prompt ends at a limit: the user may have stopped it while it waited for an answer. */
export type LimitEnd = { readonly outcome: "limit"; readonly limit: ReachedLimit } | { readonly outcome: "aborted" };

/** The limits of a prompt, as raised by the user's answers. */
export class Budget {
  readonly #run: PromptRun;
  #elsewhere: SpentElsewhere = {};
  #checks = 0;
  #questions = 0;

  constructor(run: PromptRun) {
    this.#run = run;
  }

  /** The end that follows from the limits before the next request; undefined if the prompt may go on. Asks the user if the limit says so. */
  async endAt(progress: Progress): Promise<LimitEnd | undefined> {
    const { plan } = this.#run;
    await this.#look();
    for (;;) {
      const reached = reachedLimit(plan, progress, this.#elsewhere);
      if (reached === undefined) return undefined;
      const { limit, value } = reached;
      const adds = this.#addedTo(limit);
      if (adds === undefined) return { outcome: "limit", limit: { limit, value } };
      const { answer, by } = await this.#ask(reached, adds);
      if (by === "stop") return { outcome: "aborted" };
      if (answer === "no") return { outcome: "limit", limit: { limit, value } };
      await this.#raise(reached, adds);
    }
  }

  /** Whether a limit is reached that nobody can raise. */
  async isOver(progress: Progress): Promise<boolean> {
    await this.#look();
    const reached = reachedLimit(this.#run.plan, progress, this.#elsewhere);
    return reached !== undefined && this.#addedTo(reached.limit) === undefined;
  }

  /** What a yes of the user would add to a limit; undefined if nobody is asked. */
  #addedTo(limit: LimitName): number | undefined {
    const { plan } = this.#run;
    return plan.isMetered && !this.#elsewhere.isRefused ? raiseOf(plan, limit) : undefined;
  }

  async #look(): Promise<void> {
    const { host, plan, effects } = this.#run;
    if (!plan.isMetered) return;
    this.#checks += 1;
    const look = async (): Promise<SpentElsewhere> => (await effects.budget?.spent()) ?? {};
    const options = { accepts: STEPS.spent.accepts, effect: "none" } as const;
    this.#elsewhere = await host.step(STEPS.spent.name(this.#checks), look, options);
  }

  async #ask({ limit, value, spent }: UsedLimit, adds: number): Promise<Answer> {
    const { host, events, effects } = this.#run;
    this.#questions += 1;
    const id = this.#id;
    const make = async (): Promise<BudgetQuestion> => {
      const deadline = effects.budget?.deadline();
      const subject = { kind: "budget", limit, spent, value, adds } as const;
      return { id, session: effects.session, ...subject, ...(deadline !== undefined && { deadline }), default: "no" };
    };
    const options = { accepts: STEPS.budgetQuestion.accepts, effect: "none" } as const;
    const question = await host.step(STEPS.budgetQuestion.name(this.#questions), make, options);
    events.emit({ type: "question_asked", question });
    const answer = await host.ask(STEPS.budgetAnswer.name(this.#questions), question);
    events.emit({ type: "question_answered", questionId: id, answer });
    return answer;
  }

  async #raise({ limit }: UsedLimit, adds: number): Promise<void> {
    const { host, effects } = this.#run;
    const id = this.#id;
    const raise = async (): Promise<SpentElsewhere> => (await effects.budget?.raise(limit, adds, id)) ?? {};
    const options = { accepts: STEPS.raise.accepts, effect: "outside" } as const;
    this.#elsewhere = await host.step(STEPS.raise.name(this.#questions), raise, options);
  }

  /** That of the question; no call has turn 0. */
  get #id(): string {
    return `${this.#run.prompt}.0.${this.#questions}`;
  }
}

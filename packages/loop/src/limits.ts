import type { Cost, ToolCall, ToolResultMessage } from "@mdx-ai/models";
import type { UsageLimits } from "@mdx-ai/parser";
import { noCost } from "./cost.ts";
import type { PromptPlan } from "./plan.ts";
import type { PromptRun } from "./prompt-effects.ts";
import type { BudgetQuestion } from "./step-results.ts";
import { STEPS } from "./steps.ts";
import type { LimitName, ReachedLimit, Spent, SpentElsewhere } from "./types/limit.ts";
import type { Answer } from "./types/question.ts";
import type { ToolAnswer } from "./types/tool-registry.ts";
import { excludeWait, timed } from "./waiting-time.ts";

/** The progress of a prompt, from its journaled results. */
export interface Progress {
  readonly turns: number;
  readonly cost: Cost;
  readonly repeats: number;
  /** Consecutive pauses of the model. */
  readonly pauses: number;
  /** The newest timestamp among the results, in milliseconds since 1970. */
  readonly at: number;
}

/** The maximum number of consecutive pauses. */
const MAX_PAUSES = 10;

/** A reached limit, and how much of it is used. */
export interface UsedLimit extends ReachedLimit {
  readonly spent: number;
}

/** The limit that the prompt has reached before the next request; undefined if none is reached. */
function reachedLimit(
  plan: PromptPlan,
  { turns, cost, repeats, pauses, at }: Progress,
  elsewhere: SpentElsewhere = {},
): UsedLimit | undefined {
  const { limits } = plan;
  const checks: readonly Check[] = [
    ["seconds", limits.seconds, () => (isPast(plan, at) ? Number.POSITIVE_INFINITY : 0)],
    ["turns", limits.turns, () => turns],
    ...usageChecks(plan, spentOf(cost), elsewhere),
    ["repeats", limits.repeats, () => repeats],
    ["pauses", MAX_PAUSES, () => pauses],
  ];
  return firstReached(checks, elsewhere);
}

/** The limit of tokens or US dollars that is reached; undefined if there is none. */
export const reachedUsage = (plan: CountedPlan, elsewhere: SpentElsewhere): UsedLimit | undefined =>
  firstReached(usageChecks(plan, spentOf(noCost), elsewhere), elsewhere);

/** What the limits of a prompt count. */
export type CountedPlan = Pick<PromptPlan, "limits" | "sessionBefore">;

/** What a yes adds to a reached limit: its configured value; undefined if the user is not asked. */
export function raiseOf({ limits }: CountedPlan, limit: LimitName): number | undefined {
  const [span = "", unit] = limit.split(".");
  const budget = isSpan(span) ? limits[span] : limits;
  if ((budget?.on ?? limits.on) !== "ask") return undefined;
  if (limit === "turns") return limits.turns;
  const name = unit ?? span;
  return name === "tokens" || name === "usd" ? budget?.[name] : undefined;
}

const isSpan = (name: string): name is "session" | "day" | "agent" => ["session", "day", "agent"].includes(name);

export const spentOf = ({ usage, usd }: Cost): Spent => ({ tokens: usage.total, usd });

function firstReached(checks: readonly Check[], { raised = {} }: SpentElsewhere): UsedLimit | undefined {
  for (const [limit, configured, spent] of checks) {
    if (configured === undefined) continue;
    const value = configured + (raised[limit] ?? 0);
    const used = spent();
    if (used >= value) return { limit, value, spent: used };
  }
  return undefined;
}

function usageChecks(
  { limits, sessionBefore = noCost }: CountedPlan,
  own: Spent,
  { prompt = own, day, agent }: SpentElsewhere,
): readonly Check[] {
  const now = { tokens: Math.max(own.tokens, prompt.tokens), usd: Math.max(own.usd, prompt.usd) };
  const before = spentOf(sessionBefore);
  const session = { tokens: before.tokens + now.tokens, usd: before.usd + now.usd };
  return [
    ["tokens", limits.tokens, () => now.tokens],
    ["usd", limits.usd, () => now.usd],
    ...spanChecks("session", session, limits.session),
    ...spanChecks("day", day ?? now, limits.day),
    ...spanChecks("agent", agent ?? now, limits.agent),
  ];
}

/** Whether a time is past the deadline. */
export const isPast = ({ deadline }: PromptPlan, at: number): boolean => deadline !== undefined && at >= deadline;

/** A limit, its value if set, and how much of it is used. */
type Check = readonly [limit: LimitName, value: number | undefined, spent: () => number];

const spanChecks = (
  span: "session" | "day" | "agent",
  spent: Spent,
  limits: UsageLimits | undefined,
): readonly Check[] => [
  [`${span}.tokens`, limits?.tokens, () => spent.tokens],
  [`${span}.usd`, limits?.usd, () => spent.usd],
];

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
    await this.#look();
    for (;;) {
      const reached = reachedLimit(this.#run.plan, progress, this.#elsewhere);
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
    const look = async (): Promise<SpentElsewhere> => timed(this.#run, (await effects.budget?.spent()) ?? {});
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
    const raise = async (): Promise<SpentElsewhere> =>
      timed(this.#run, (await effects.budget?.raise(limit, adds, id)) ?? {});
    const options = { accepts: STEPS.raise.accepts, effect: "outside" } as const;
    const before = this.#elsewhere;
    this.#elsewhere = await host.step(STEPS.raise.name(this.#questions), raise, options);
    excludeWait(this.#run, before, this.#elsewhere);
  }

  /** That of the question; no call has turn 0. */
  get #id(): string {
    return `${this.#run.prompt}.0.${this.#questions}`;
  }
}

/** The number of consecutive identical results that triggers a note to the model. */
const NOTED_AT = 3;

const NOTE = {
  type: "text",
  text: "note: this same call has returned the same result three times in a row; do something else, or end",
} as const;

/** A call, its unmodified result, and how often both occurred in a row. */
interface Streak {
  readonly call: ToolCall;
  readonly result: ToolAnswer;
  readonly count: number;
}

/** Detects a model that repeats the same call with the same result. */
export class RepeatWatch {
  #last: Streak | undefined;
  #longest = 0;

  /** The highest number of consecutive identical calls with identical results. */
  get longest(): number {
    return this.#longest;
  }

  /**
   * Takes the calls of a prompt and their results, in the order of the calls. Returns the result for the model, with
   * a note if it repeats too often.
   */
  add(call: ToolCall, result: ToolResultMessage): ToolResultMessage {
    const count = this.#last !== undefined && isRepeated(this.#last, call, result) ? this.#last.count + 1 : 1;
    this.#last = { call, result, count };
    this.#longest = Math.max(this.#longest, count);
    return count === NOTED_AT ? { ...result, content: [...result.content, NOTE] } : result;
  }
}

/** Compares the arguments first: they are shorter than results and usually differ. */
const isRepeated = (before: Streak, call: ToolCall, { content, isError }: ToolAnswer): boolean =>
  before.call.name === call.name &&
  before.result.isError === isError &&
  before.result.content.length === content.length &&
  isEqual(before.call.arguments, call.arguments) &&
  isEqual(before.result.content, content);

/** A result without the loop's note. */
export const withoutNote = ({ content, isError }: ToolAnswer): ToolAnswer => ({
  content: content.filter((block) => block.type !== "text" || block.text !== NOTE.text),
  isError,
});

/** Whether two values are the same JSON, including the order of their keys. */
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

import type { AssistantMessage, Message } from "@mdx-ai/models";
import { plannedModel } from "./ask-model.ts";
import { type CompactionOutcome, isCompaction, pricedOutcome } from "./context/compaction-outcome.ts";
import { RequestMeter } from "./context/request-meter.ts";
import { type ContextPolicy, compactionLimit, sentMessages } from "./context/sent-messages.ts";
import type { StepContext } from "./host.ts";
import type { PromptRun } from "./prompt-effects.ts";
import { isAdapted, mayRetry, reportAdaptation, waitForRetry } from "./retry.ts";
import type { MeasuredRequest } from "./step-results.ts";
import { STEPS } from "./steps.ts";
import type { Conversation } from "./types/compaction.ts";

/** The current model and the time. */
interface Asked {
  readonly turn: number;
  readonly attempt: number;
  /** The index of the model in the plan. */
  readonly model: number;
}

const NOTHING_TO_REPLACE: CompactionOutcome = { reason: "there are no messages to replace by a summary" };

/** Keeps the requests of one prompt within the model's window by summarising older messages. */
export class ContextRoom {
  readonly #run: PromptRun;
  readonly #conversation: Conversation;
  #counting: RequestMeter | undefined;
  readonly #count: (answer: AssistantMessage) => void;
  /** The model for which a summary was last requested. */
  #last: Asked | undefined;
  /** The model for which a summary did not free enough space, so that another one would not either. */
  #exhausted: number | undefined;

  /** `count` receives each answer to a summary request. */
  constructor(run: PromptRun, conversation: Conversation, count: (answer: AssistantMessage) => void) {
    this.#run = run;
    this.#count = count;
    this.#conversation = conversation;
  }

  /** Needed only for a model with a known window. */
  get #meter(): RequestMeter {
    const { plan, effects } = this.#run;
    this.#counting ??= new RequestMeter({
      system: effects.system,
      tools: effects.tools.schemas,
      headBound: plan.head,
      conversation: this.#conversation,
      policy: plan.context,
    });
    return this.#counting;
  }

  /** The messages to send, after a summary if the request would exceed its limit. */
  async messagesFor(asked: Asked): Promise<readonly Message[]> {
    if (await this.#isDue(asked)) await this.#summarise(asked);
    return sentMessages(this.#conversation, this.#run.plan.context);
  }

  /** After a model rejected a request as too long: summarises, once per turn. Returns whether another attempt is worthwhile. */
  async afterRefusal(asked: Asked): Promise<boolean> {
    return !this.#isTriedFor(asked) && this.#summarise({ ...asked, attempt: asked.attempt + 1 });
  }

  /** Allows one summary per turn and model: if it does not help, a second one would not either. */
  #isTriedFor({ turn, model }: Asked): boolean {
    return this.#last?.turn === turn && this.#last.model === model;
  }

  /** A cheap upper bound is almost always enough; otherwise a step measures the request. */
  async #isDue(asked: Asked): Promise<boolean> {
    if (this.#isTriedFor(asked) || this.#exhausted === asked.model) return false;
    const limit = compactionLimit(this.#policyFor(asked));
    if (limit === undefined || !this.#meter.mayExceed(limit)) return false;
    const measure = async (): Promise<MeasuredRequest> => ({ tokens: (await this.#meter.size()).tokens });
    const { tokens } = await this.#run.host.step(STEPS.size.name(asked.turn, asked.attempt), measure, {
      accepts: STEPS.size.accepts,
      effect: "none",
    });
    return tokens > limit;
  }

  /** Uses the window of a model, unless the settings override it. */
  #policyFor({ model }: Asked): ContextPolicy {
    const { plan } = this.#run;
    const window = plan.context.window ?? plannedModel(this.#run, model).facts?.window;
    return { ...plan.context, ...(window !== undefined && { window }) };
  }

  async #summarise(asked: Asked): Promise<boolean> {
    this.#last = asked;
    const outcome = await this.#outcomeFor(asked);
    if (!isCompaction(outcome)) {
      this.#exhausted = asked.model;
      return false;
    }
    this.#conversation.compaction = outcome;
    const { before, after, measured } = outcome;
    this.#run.events.emit({ type: "context_compacted", before, after, measured });
    const limit = compactionLimit(this.#policyFor(asked)) ?? Number.POSITIVE_INFINITY;
    if (after > limit) this.#exhausted = asked.model;
    return true;
  }

  /** Retries transient failures, as for answers. */
  async #outcomeFor(asked: Asked): Promise<CompactionOutcome> {
    const { turn, attempt } = asked;
    const { host, plan } = this.#run;
    let retries = 0;
    let adaptations = 0;
    for (let number = 1; ; number++) {
      const mayRepeat = (answer: AssistantMessage): boolean =>
        isAdapted(answer, adaptations) || mayRetry(plan, answer, retries);
      const summarise = (context: StepContext): Promise<CompactionOutcome> => this.#compact(asked, mayRepeat, context);
      const outcome = await host.step(STEPS.compaction.name(turn, attempt, number), summarise, {
        accepts: STEPS.compaction.accepts,
        effect: "outside",
        deadline: plan.deadline,
      });
      const { answer } = outcome;
      if (answer) this.#count(answer);
      if (!answer || !mayRepeat(answer)) return outcome;
      if (isAdapted(answer, adaptations)) {
        adaptations++;
        reportAdaptation(this.#run, answer);
        continue;
      }
      retries++;
      const name = STEPS.compactionRetry.name(turn, attempt, number + 1);
      await waitForRetry(this.#run, { name, attempt: retries, failed: answer });
    }
  }

  /** `mayRepeat` returns whether to retry a failed answer. */
  async #compact(
    asked: Asked,
    mayRepeat: (answer: AssistantMessage) => boolean,
    { signal }: StepContext,
  ): Promise<CompactionOutcome> {
    const { plan, effects } = this.#run;
    const planned = plannedModel(this.#run, asked.model);
    const { compact } = await import("./context/compact.ts");
    const compacted = await compact(this.#conversation, {
      ...effects.skills(),
      model: effects.modelAt(asked.model, planned),
      parameters: plan.parameters,
      head: { system: effects.system, tools: effects.tools.schemas },
      policy: this.#policyFor(asked),
      signal,
      now: () => effects.now(),
    });
    const outcome = compacted ?? NOTHING_TO_REPLACE;
    const isFinal = outcome.answer === undefined || !mayRepeat(outcome.answer);
    if (isFinal && !isCompaction(outcome) && !signal.aborted) {
      effects.warn(`the history could not be summarised: ${outcome.reason}`);
    }
    const priced = await pricedOutcome(outcome, (answer) => effects.spend(answer, planned));
    if (priced.answer) effects.onSummary?.(priced.answer);
    return priced;
  }
}

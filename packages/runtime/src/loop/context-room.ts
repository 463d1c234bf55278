import type { AssistantMessage, LanguageModel, Message } from "@mdx-ai/models";
import type { CompactionOutcome } from "../context/compact.ts";
import { isCompaction, isCompactionOutcome } from "../context/compaction-guard.ts";
import { compactionLimit } from "../context/context-policy.ts";
import { pricedOutcome } from "../context/priced-outcome.ts";
import { RequestMeter } from "../context/request-meter.ts";
import { sentMessages } from "../context/sent-messages.ts";
import { compactionRetryStep, compactionStep } from "../step-names.ts";
import type { Conversation } from "../types/compaction.ts";
import type { PromptRun } from "./prompt-run.ts";
import { mayRepeat, waitForRetry } from "./retry.ts";

/** Who is asked, and when. */
interface Asked {
  readonly turn: number;
  readonly attempt: number;
  readonly model: LanguageModel;
}

/** Tokens that fit the window of any model that is known. */
const FITS_ANYWHERE = 8000;

const NOTHING_TO_REPLACE: CompactionOutcome = { reason: "there is nothing that a summary could replace" };

/** Keeps the requests of one prompt within the model's window: where one would grow too long, older messages are summarised. */
export class ContextRoom {
  readonly #run: PromptRun;
  readonly #conversation: Conversation;
  readonly #meter: RequestMeter;
  readonly #count: (answer: AssistantMessage) => void;
  /** For whom a summary was last asked for. */
  #last: Asked | undefined;
  /** The model for which a summary did not make enough room, so that another one would not either. */
  #exhausted: LanguageModel | undefined;

  /** `count` is told of each answer that a summary cost. */
  constructor(run: PromptRun, conversation: Conversation, count: (answer: AssistantMessage) => void) {
    this.#run = run;
    this.#count = count;
    this.#conversation = conversation;
    this.#meter = new RequestMeter({ system: run.system, tools: run.tools.schemas, conversation, policy: run.context });
  }

  /** What is sent, after a summary where the request would pass its limit. */
  async messagesFor(asked: Asked): Promise<readonly Message[]> {
    if (this.#isRecorded(asked) ? !this.#isDoneFor(asked) : await this.#isDue(asked)) await this.#summarise(asked);
    return sentMessages(this.#conversation, this.#run.context);
  }

  /** After a model found a request too long: makes room, once a turn. Gives whether another attempt is worth it. */
  async afterRefusal(asked: Asked): Promise<boolean> {
    const next = { ...asked, attempt: asked.attempt + 1 };
    const isWanted = this.#isRecorded(next) || !(this.#isTriedFor(asked) || this.#run.signal.aborted);
    return isWanted && this.#summarise(next);
  }

  #isDoneFor({ turn, attempt }: Asked): boolean {
    return this.#last?.turn === turn && this.#last.attempt === attempt;
  }

  /** One summary a turn for a model: where it does not help, a second one would not. */
  #isTriedFor({ turn, model }: Asked): boolean {
    return this.#last?.turn === turn && this.#last.model === model;
  }

  #isRecorded({ turn, attempt }: Asked): boolean {
    return this.#run.recorded.has(compactionStep(turn, attempt));
  }

  async #isDue(asked: Asked): Promise<boolean> {
    const { model } = asked;
    if (this.#isTriedFor(asked) || this.#exhausted === model || this.#run.signal.aborted) return false;
    const limit = await this.#limit(model);
    return limit !== undefined && this.#meter.mayExceed(limit) && (await this.#meter.size()).tokens > limit;
  }

  async #limit(model: LanguageModel): Promise<number | undefined> {
    const { context } = this.#run;
    const least = Math.min(FITS_ANYWHERE, context.window ?? FITS_ANYWHERE);
    if (context.compactAt === undefined || !this.#meter.mayExceed(least * context.compactAt)) return undefined;
    const window = context.window ?? (await this.#run.windowOf(model));
    return compactionLimit({ ...context, ...(window !== undefined && { window }) });
  }

  async #summarise(asked: Asked): Promise<boolean> {
    const { model } = asked;
    this.#last = asked;
    const outcome = await this.#outcomeFor(asked);
    if (!isCompaction(outcome)) {
      this.#exhausted = model;
      if (!this.#run.signal.aborted) this.#run.warn(`the history could not be summarised: ${outcome.reason}`);
      return false;
    }
    this.#conversation.compaction = outcome;
    const { before, after, measured } = outcome;
    this.#run.emit({ type: "context_compacted", before, after, measured });
    if (after > ((await this.#limit(model)) ?? Number.POSITIVE_INFINITY)) this.#exhausted = model;
    return true;
  }

  /** As for answers, what may pass is tried again. */
  async #outcomeFor({ turn, attempt, model }: Asked): Promise<CompactionOutcome> {
    const window = this.#run.context.window ?? (await this.#run.windowOf(model));
    const summarise = (onDisk: () => Promise<void>): Promise<CompactionOutcome> =>
      this.#compact({ model, window }, onDisk());
    for (let number = 1; ; number++) {
      const step = compactionStep(turn, attempt, number);
      const outcome = await this.#run.step(step, summarise, { accepts: isCompactionOutcome, eager: true });
      const { answer } = outcome;
      if (answer) {
        this.#count(answer);
        this.#run.onSummary?.(answer);
      }
      const retry = compactionRetryStep(turn, attempt, number + 1);
      if (answer?.stopReason !== "error" || !mayRepeat(this.#run, answer, { step: retry, before: number - 1 })) {
        return outcome;
      }
      await waitForRetry(this.#run, { step: retry, attempt: number, failed: answer });
    }
  }

  async #compact(
    { model, window }: { readonly model: LanguageModel; readonly window: number | undefined },
    ready: Promise<void>,
  ): Promise<CompactionOutcome> {
    const { parameters, system, tools, context, skills, signal, now } = this.#run;
    const { compact } = await import("../context/compact.ts");
    const outcome = await compact(this.#conversation, {
      ...skills,
      model,
      parameters,
      head: { system, tools: tools.schemas },
      policy: { ...context, ...(window !== undefined && { window }) },
      signal,
      ready,
      now,
    });
    return pricedOutcome(outcome ?? NOTHING_TO_REPLACE, (answer) => this.#run.spend(answer));
  }
}

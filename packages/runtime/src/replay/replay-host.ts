import type { JournalLine } from "../journal/journal-line.ts";
import { stepResults } from "../journal/step-results.ts";
import { END_STEP, isResumeStep } from "../step-names.ts";
import type { Step } from "../types/step.ts";
import type { RecordedCall } from "./recorded-calls.ts";
import { RecordingEndError, ReplayError } from "./replay-error.ts";

/** Answers the steps of one recorded prompt. */
export interface ReplayHost {
  /** Rejects with `ReplayError` where the recording does not have the step, with `RecordingEndError` where it was cut short. */
  readonly step: Step;
  /** The steps of the recording that were not asked for. */
  unused(): readonly string[];
}

export interface ReplayHostOptions {
  /** The calls among the steps, which are answered in the order in which they ended. */
  readonly calls?: ReadonlyMap<string, RecordedCall>;
  /** Told of each call when it begins and waited for before it ends. */
  readonly rerun?: (call: RecordedCall) => Promise<void>;
}

/** The host over the lines of a prompt: each step is looked up, nothing is done. Knows no clock, no disk and no network. */
export function replayHost(lines: readonly JournalLine[], options: ReplayHostOptions = {}): ReplayHost {
  const { calls = new Map<string, RecordedCall>(), rerun } = options;
  const results = stepResults(lines);
  const isWhole = results.has(END_STEP);
  const prompt = lines[0]?.prompt ?? 0;
  const begun = new Marks();
  const ended = new Marks();

  const inItsOrder = async (call: RecordedCall): Promise<void> => {
    try {
      await rerun?.(call);
      if (call.after !== undefined) await ended.reached(call.after);
      if (call.begun !== undefined) await begun.reached(call.begun);
    } finally {
      // One that fails must not keep the others waiting.
      ended.reach(call.step);
    }
  };
  const step: Step = async (name, _run, { accepts }) => {
    begun.reach(name);
    const call = calls.get(name);
    if (call) await inItsOrder(call);
    if (!results.has(name)) throw isWhole ? new ReplayError(missing(prompt, name)) : new RecordingEndError();
    const result = results.get(name);
    if (accepts(result)) return result;
    throw new ReplayError(`prompt ${prompt}: the recording holds a result of step ${name} that cannot be read`);
  };
  return { step, unused: () => [...results.keys()].filter((name) => !begun.has(name) && !isResumeStep(name)) };
}

const missing = (prompt: number, step: string): string =>
  `prompt ${prompt}: the recording has no step ${step}: lines of it are lost, or another version of the loop wrote it`;

/** Names that are reached one after another, and those who wait for them. */
class Marks {
  readonly #marks = new Map<string, PromiseWithResolvers<void> & { isReached: boolean }>();

  has(name: string): boolean {
    return this.#marks.get(name)?.isReached === true;
  }

  reach(name: string): void {
    const mark = this.#markOf(name);
    mark.isReached = true;
    mark.resolve();
  }

  reached(name: string): Promise<void> {
    return this.#markOf(name).promise;
  }

  #markOf(name: string): PromiseWithResolvers<void> & { isReached: boolean } {
    const mark = this.#marks.get(name) ?? { ...Promise.withResolvers<void>(), isReached: false };
    this.#marks.set(name, mark);
    return mark;
  }
}

import type { AssistantMessage, ModelFailure } from "@mdx-ai/models";
import { isRecord } from "../record.ts";
import type { PromptRun } from "./prompt-run.ts";

/** Milliseconds of the first wait where nobody says how long; each further one is twice as long. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
/** Part of a wait that is left to chance, so that many who failed together do not come back together. */
const CHANCE = 0.25;

/** A repetition of a failed call. */
export interface Repetition {
  /** The name of its step. */
  readonly step: string;
  /** From 1. */
  readonly attempt: number;
  readonly failed: AssistantMessage;
}

/** The wait before a repetition, in milliseconds. */
interface Wait {
  readonly delay: number;
}

/** Tells that the model is asked again, and waits for the time. The wait is a step, since its length is partly chance. */
export async function waitForRetry(run: PromptRun, { step, attempt, failed }: Repetition): Promise<void> {
  const tell = ({ delay }: Wait): void => {
    const reason = failed.errorMessage ?? "the model failed";
    run.emit({ type: "model_retry", attempt, attempts: run.retries.length, delay, reason });
  };
  let live = false;
  const draw = async (): Promise<Wait> => {
    live = true;
    const wanted = waitOf(run.retries[attempt - 1], attempt, failed.failure);
    const wait = { delay: Math.max(0, wanted - passedSince(run, failed)) };
    tell(wait);
    await run.sleep(wait.delay);
    return wait;
  };
  const wait = await run.step(step, draw, { accepts: isWait });
  if (!live) tell(wait);
}

/** What has passed of a wait that an earlier process had begun. */
function passedSince({ recorded, now }: PromptRun, { timestamp, latency = 0 }: AssistantMessage): number {
  return recorded.size === 0 ? 0 : Math.max(0, now() - timestamp - latency);
}

function waitOf(seconds: number | undefined, attempt: number, failure: ModelFailure | undefined): number {
  const chosen = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1)) * (1 - CHANCE * Math.random());
  const wanted = seconds === undefined ? (failure?.retryAfter ?? chosen) : 1000 * seconds;
  return Math.round(Math.max(wanted, failure?.retryAfter ?? 0));
}

const isWait = (value: unknown): value is Wait => isRecord(value) && typeof value["delay"] === "number";

/** What is known where a repetition is thought of. */
interface RepetitionChance {
  /** The step in which it would wait. */
  readonly step: string;
  /** The repetitions before it. */
  readonly before: number;
}

/** Whether a call that failed is to be repeated, as far as an earlier process has not decided that. */
export function mayRepeat(run: PromptRun, { failure }: AssistantMessage, { step, before }: RepetitionChance): boolean {
  if (run.recorded.has(step)) return true;
  return !run.signal.aborted && failure?.isTransient === true && before < run.retries.length;
}

/** Statuses that tell that the request itself is refused: no other model would be asked for a better reason. */
const REFUSED: readonly (number | undefined)[] = [400, 413, 422];

/** Whether a failure is the model's, so that another one may do better. */
export const isUnavailable = (failure: ModelFailure | undefined): boolean => !REFUSED.includes(failure?.status);

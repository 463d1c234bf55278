import type { Session } from "../session/session.ts";
import type { LeftoverPrompt } from "../types/event.ts";

/** A prompt that an earlier process left behind, and the number of its input where that waited in the queue. */
export interface Leftover {
  readonly prompt: LeftoverPrompt;
  readonly queued?: number;
}

/** What an earlier process left behind in a session, in the order in which it is to be worked off. */
export function leftovers({ interrupted, lastPrompt, queued }: Session): readonly Leftover[] {
  const waiting = queued.map(({ number, text }, place): Leftover => {
    return { queued: number, prompt: { prompt: lastPrompt + 1 + place, input: text, state: "queued", tools: [] } };
  });
  if (!interrupted) return waiting;
  const { prompt, input, state, tools } = interrupted;
  return [{ prompt: { prompt, input, state, tools } }, ...waiting];
}

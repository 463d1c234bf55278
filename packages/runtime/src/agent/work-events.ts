import type { AgentEvent } from "../types/event.ts";
import { EventChannel } from "./event-channel.ts";

/** Work that tells events; `left` fires when nobody reads them any longer. */
export type TellingWork = (emit: (event: AgentEvent) => void, left: AbortSignal) => Promise<void>;

/**
 * The events of work, which begins with the first look at them and does not wait for whoever reads: one who stops must not hold
 * up what comes behind. Ends when the work does, and throws what it rejects with.
 */
export async function* workEvents(work: TellingWork): AsyncGenerator<AgentEvent, void, undefined> {
  const left = new AbortController();
  const channel = new EventChannel();
  const working = work((event) => channel.send(event), left.signal);
  const end = (): void => channel.end();
  working.then(end, end);
  try {
    yield* channel.events();
  } finally {
    left.abort();
    await working;
  }
}

import type { Host } from "./host.ts";
import type { AgentEvent, LoopEvent } from "./types/event.ts";

/** Assigns ids to the events of one prompt, the same in every repetition, and passes them on. */
export class NumberedEvents {
  readonly #prompt: number;
  readonly #host: Pick<Host, "emit">;
  #position = 0;

  constructor(prompt: number, host: Pick<Host, "emit">) {
    this.#prompt = prompt;
    this.#host = host;
  }

  /** The id of the next event, for an event that a running step reports. */
  next(): string {
    return eventId(this.#prompt, ++this.#position);
  }

  emit(event: LoopEvent): void {
    this.#host.emit({ ...event, id: this.next() });
  }
}

/**
 * Passes each event on once: the loop reports a complete answer even if its events were passed on
 * while it arrived. A host that had the answer stored passes on one update for each block.
 */
export function onceEach(pass: (event: AgentEvent) => void): (event: AgentEvent) => void {
  let last = "0.0";
  let updated = { step: "", count: 0 };
  return (event) => {
    if (event.type === "message_update") {
      const { step, index } = event;
      if (step === updated.step && index < updated.count) return;
      updated = { step, count: index + 1 };
    } else if (event.id !== undefined) {
      if (compareEventIds(event.id, last) <= 0) return;
      last = event.id;
    }
    pass(event);
  };
}

/** The id of an event. Position 0 is the `prompt_resumed` event. */
export const eventId = (prompt: number, position: number): string => `${prompt}.${position}`;

export function nextEventId(id: string): string {
  const [prompt, position] = numbersOf(id);
  return eventId(prompt, position + 1);
}

/** Whether a text has the form of an event id. "0.0" precedes all events. */
export const isEventId = (text: string): boolean => /^\d{1,15}\.\d{1,15}$/.test(text);

/** Compares two ids by their numbers. */
export function compareEventIds(one: string, other: string): number {
  const [prompt, position] = numbersOf(one);
  const [otherPrompt, otherPosition] = numbersOf(other);
  return prompt - otherPrompt || position - otherPosition;
}

/** Called for every event: `split` would take several times as long. */
function numbersOf(id: string): readonly [prompt: number, position: number] {
  const dot = id.indexOf(".");
  return [Number(id.slice(0, dot)), Number(id.slice(dot + 1))];
}

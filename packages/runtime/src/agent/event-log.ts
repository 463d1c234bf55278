import { type AgentEvent, compareEventIds } from "@mdx-ai/loop";
import { EventChannel, leavable } from "@mdx-ai/sessions";
import type { EventsOptions } from "../types/session.ts";

/** Events that may wait for a reader before it has to catch up from the journal. */
const MAX_WAITING = 4096;

/** Events that are held for later readers; older ones are replayed from the journal. */
const MAX_HELD = 1024;

/** Replays the events of a session that are on disk. */
export type ReplayEvents = (after: string) => AsyncIterable<AgentEvent>;

/** Receives events as they happen. Must not throw. */
export interface EventReader {
  /** The types of the events that it reads; all if absent. */
  readonly types?: ReadonlySet<AgentEvent["type"]>;
  send(event: AgentEvent): void;
}

interface Reader {
  readonly channel: EventChannel;
  /** Ends the events that wait for it. */
  readonly leave: () => void;
  /** Whether events were dropped for it, so that it has to catch up. */
  isBehind: boolean;
}

/** The events of a session in this process: the last ones, and any number of readers; none holds up the prompt. */
export class EventLog implements EventReader {
  readonly #replay: ReplayEvents;
  #held: AgentEvent[] = [];
  /** Those that receive events at once, while something runs. */
  readonly #attached = new Set<EventReader>();
  readonly #readers = new Set<Reader>();
  #isClosed = false;

  constructor(replay: ReplayEvents) {
    this.#replay = replay;
  }

  /** Whether anybody reads. */
  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  readonly send = (event: AgentEvent): void => this.#send(event, this.#attached);

  /** Sends an event to these, and to the readers of the session. */
  #send(event: AgentEvent, attached: Iterable<EventReader>): void {
    if (event.id !== undefined) this.#held.push(event);
    if (this.#held.length > 2 * MAX_HELD) this.#held = this.#held.slice(-MAX_HELD);
    for (const reader of attached) if (reader.types?.has(event.type) !== false) reader.send(event);
    for (const reader of this.#readers) {
      if (reader.isBehind) continue;
      reader.channel.send(event);
      if (reader.channel.length <= MAX_WAITING || event.id === undefined) continue;
      reader.isBehind = true;
      reader.channel.drop();
    }
  }

  /** Sends the events of `work` to these readers, before it sends them to those of `read`. Rejects as `work` does. */
  async readBy<Result>(readers: readonly EventReader[], work: () => Promise<Result>): Promise<Result> {
    for (const reader of readers) this.#attached.add(reader);
    try {
      return await work();
    } finally {
      for (const reader of readers) this.#attached.delete(reader);
    }
  }

  /** Sends the events of the newest prompt, which ended without running here, from its journal. They are no part of work that runs. */
  async report(prompt: number): Promise<void> {
    for await (const event of this.#replay(`${prompt}.0`)) this.#send(event, []);
  }

  /** The session continues with an empty journal: later readers get events from now on. */
  clear(): void {
    this.#held = [];
  }

  /** Ends the streams of all readers, after what they have not read yet. */
  close(): void {
    this.#isClosed = true;
    for (const { channel } of this.#readers) channel.end();
  }

  /** The events behind an id, or from now on. A reader may leave at any time, and come back. */
  read({ after, signal }: EventsOptions): AsyncIterable<AgentEvent> {
    const leaving = new AbortController();
    const left = signal ? AbortSignal.any([leaving.signal, signal]) : leaving.signal;
    return leavable(this.#read(after, left), () => leaving.abort());
  }

  async *#read(after: string | undefined, left: AbortSignal): AsyncGenerator<AgentEvent, void, undefined> {
    let last = after;
    for (let isBehind = true; isBehind; ) {
      const reader = this.#join(left);
      try {
        for (const events of [this.#past(last, left), reader.channel.events()]) {
          for await (const event of events) {
            if (isRepeated(event, last)) continue;
            last = event.id ?? last;
            yield event;
          }
        }
      } finally {
        left.removeEventListener("abort", reader.leave);
        this.#readers.delete(reader);
      }
      ({ isBehind } = reader);
      last ??= "0.0";
    }
  }

  /** New events wait in the channel. */
  #join(left: AbortSignal): Reader {
    const channel = new EventChannel();
    const reader: Reader = { channel, leave: () => channel.drop(), isBehind: false };
    left.addEventListener("abort", reader.leave, { once: true });
    if (this.#isClosed || left.aborted) channel.end();
    this.#readers.add(reader);
    return reader;
  }

  async *#past(after: string | undefined, left: AbortSignal): AsyncGenerator<AgentEvent, void, undefined> {
    if (after === undefined) return;
    const held = [...this.#held];
    for (const events of holds(held, after) ? [held] : [this.#replay(after), held]) {
      for await (const event of events) {
        if (left.aborted) return;
        yield event;
      }
    }
  }
}

/** The events of work that continues whether or not they are read. They throw what it rejects with. */
export function eventsOf(work: (reader: EventReader) => Promise<void>): AsyncIterable<AgentEvent> {
  const channel = new EventChannel();
  return leavable(
    channel.events(() => work(channel)),
    () => channel.drop(),
  );
}

/** Whether a reader has read an event before. */
const isRepeated = ({ id }: AgentEvent, last: string | undefined): boolean =>
  id !== undefined && last !== undefined && compareEventIds(id, last) <= 0;

/** Whether all events behind an id are among those that are held. */
const holds = ([first]: readonly AgentEvent[], id: string): boolean =>
  first?.id !== undefined && compareEventIds(first.id, id) <= 0;

import { type AgentEvent, compareEventIds } from "@mdx-ai/loop";
import { EventChannel, leavable } from "@mdx-ai/sessions";
import type { EventsOptions } from "../types/session.ts";

/** How many events may wait for a reader before it has to catch up from the journal. */
const MAX_WAITING = 4096;

/** How many events are kept in memory for later readers; older ones are replayed from the journal. */
const MAX_HELD = 1024;

/** The id before all events. */
const NO_EVENT = "0.0";

/** Replays the events of a session from disk. */
export type ReplayEvents = (after: string) => AsyncIterable<AgentEvent>;

/** Receives events as they happen. Must not throw. */
export interface EventReader {
  /** The event types that it reads. Default: all. */
  readonly types?: ReadonlySet<AgentEvent["type"]>;
  send(event: AgentEvent): void;
}

interface Reader {
  readonly channel: EventChannel;
  /** Ends its stream. */
  readonly leave: () => void;
  /** Whether events were dropped, so that it has to catch up. */
  isBehind: boolean;
}

/** The recent events of a session in this process, for any number of readers. No reader delays the prompt. */
export class EventLog implements EventReader {
  readonly #replay: ReplayEvents;
  #held: AgentEvent[] = [];
  /** The observers that receive events synchronously while work runs. */
  readonly #attached = new Set<EventReader>();
  readonly #readers = new Set<Reader>();
  #isClosed = false;

  /** `observer` receives each event before its readers. */
  constructor(replay: ReplayEvents, observer: EventReader) {
    this.#replay = replay;
    this.#attached.add(observer);
  }

  /** Whether there is a reader. */
  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  readonly send = (event: AgentEvent): void => this.#send(event, this.#attached);

  /** Sends an event to these observers, then to the readers of the session. */
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

  /** Sends the events of `work` to these observers, then to the readers. Rejects as `work` does. */
  async readBy<Result>(readers: readonly EventReader[], work: () => Promise<Result>): Promise<Result> {
    for (const reader of readers) this.#attached.add(reader);
    try {
      return await work();
    } finally {
      for (const reader of readers) this.#attached.delete(reader);
    }
  }

  /** Sends the events of the newest prompt from its journal, after it was closed without running here. Observers of running work get none. */
  async report(prompt: number): Promise<void> {
    for await (const event of this.#replay(`${prompt}.0`)) this.#send(event, []);
  }

  /** Sends the journaled events of the prompt with an id to a reader. */
  async repeat(id: string, reader: EventReader | undefined): Promise<void> {
    let isMeant = false;
    for await (const event of this.#replay("0.0")) {
      if (event.type === "agent_start") isMeant = event.promptId === id;
      if (isMeant) reader?.send(event);
    }
  }

  /** Call it when the session continues with an empty journal: later readers get only new events. */
  clear(): void {
    this.#held = [];
  }

  /** Call it when the session is gone: ends the streams of its readers, and forgets its events. */
  reset(): void {
    this.#held = [];
    for (const { channel } of this.#readers) channel.end();
  }

  /** Ends the streams of all readers, after their pending events. */
  close(): void {
    this.#isClosed = true;
    for (const { channel } of this.#readers) channel.end();
  }

  /** The events after an id, or only new ones. A reader may leave at any time and come back. */
  read({ after, isFollowing = true, signal }: EventsOptions): AsyncIterable<AgentEvent> {
    const leaving = new AbortController();
    const left = signal ? AbortSignal.any([leaving.signal, signal]) : leaving.signal;
    return leavable(isFollowing ? this.#read(after, left) : this.#soFar(after, left), () => leaving.abort());
  }

  /** Whether there was an event with this id; true for "0.0". */
  async has(id: string): Promise<boolean> {
    if (id === NO_EVENT || this.#held.some((event) => event.id === id)) return true;
    // The id before it, so that the journal is read from its prompt on.
    for await (const event of this.#replay(`${id.split(".")[0]}.0`)) {
      if (event.id !== undefined && compareEventIds(event.id, id) >= 0) return event.id === id;
    }
    return false;
  }

  /** Whether a question was answered, by the journal. */
  async hasAnswer(question: string): Promise<boolean> {
    const [prompt = ""] = question.split(".");
    if (!/^\d{1,15}$/.test(prompt)) return false;
    for await (const event of this.#replay(`${prompt}.0`)) {
      if (event.type === "question_answered" && event.questionId === question) return true;
      if (event.id !== undefined && !event.id.startsWith(`${prompt}.`)) return false;
    }
    return false;
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
      last ??= NO_EVENT;
    }
  }

  /** The events after an id until now. */
  async *#soFar(after = NO_EVENT, left: AbortSignal): AsyncGenerator<AgentEvent, void, undefined> {
    let last = after;
    for await (const event of this.#past(after, left)) {
      if (isRepeated(event, last)) continue;
      last = event.id ?? last;
      yield event;
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

/** The events of work that continues whether or not they are read. The stream throws as the work rejects. */
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

/** Whether all events after an id are still in memory. */
const holds = ([first]: readonly AgentEvent[], id: string): boolean =>
  first?.id !== undefined && compareEventIds(first.id, id) <= 0;

import type { RequestId } from "./server-messages.ts";

/** Milliseconds that a client has to open another stream once the last one has ended. */
const REOPENING = 5_000;

/** What becomes of requests that a server has taken and will answer over another stream. */
export interface DeferredEvents {
  readonly waits: (id: RequestId) => boolean;
  /** The events that fail a request. */
  readonly failure: (id: RequestId) => string;
}

/** The requests whose answers come over another stream: they fail if none is left that could bring them. */
export class DeferredAnswers {
  readonly #events: DeferredEvents;
  readonly #bodies = new Map<RequestId, ReadableStreamDefaultController<Uint8Array>>();
  #streams = 0;
  #late: ReturnType<typeof setTimeout> | undefined;

  constructor(events: DeferredEvents) {
    this.#events = events;
  }

  /** Whether a stream is open that may bring an answer. */
  get hasStream(): boolean {
    return this.#streams > 0;
  }

  opened(): void {
    this.#streams += 1;
    clearTimeout(this.#late);
  }

  ended(): void {
    this.#streams -= 1;
    if (this.#streams > 0 || this.#bodies.size === 0) return;
    this.#late = setTimeout(() => this.#failAll(), REOPENING);
    this.#late.unref();
  }

  /** The body of the response to a request, which stays open until the answer is there. */
  body(id: RequestId): ReadableStream<Uint8Array> {
    return new ReadableStream({
      start: (controller) => void this.#bodies.set(id, controller),
      cancel: () => void this.#bodies.delete(id),
    });
  }

  /** Ends the bodies of requests that wait no more. */
  settle(): void {
    for (const id of this.#bodies.keys()) if (!this.#events.waits(id)) this.#end(id);
  }

  #failAll(): void {
    for (const [id, controller] of this.#bodies) {
      controller.enqueue(new TextEncoder().encode(this.#events.failure(id)));
      this.#end(id);
    }
  }

  #end(id: RequestId): void {
    this.#bodies.get(id)?.close();
    this.#bodies.delete(id);
  }
}

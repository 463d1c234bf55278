import type { RequestId } from "./server-messages.ts";

/** Milliseconds for a client to open another stream after the last one has ended. */
const REOPENING = 5_000;

/** Handlers of requests that a server accepted and will answer over another stream. */
export interface DeferredEvents {
  readonly waits: (id: RequestId) => boolean;
  /** The events that make a request fail. */
  readonly failure: (id: RequestId) => string;
}

/** Requests whose answers arrive over another stream. They fail when no stream is left. */
export class DeferredAnswers {
  readonly #events: DeferredEvents;
  readonly #bodies = new Map<RequestId, ReadableStreamDefaultController<Uint8Array>>();
  #streams = 0;
  #late: ReturnType<typeof setTimeout> | undefined;

  constructor(events: DeferredEvents) {
    this.#events = events;
  }

  /** Whether a stream is open that can deliver answers. */
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

  /** The response body of a request. It stays open until the answer arrives. */
  body(id: RequestId): ReadableStream<Uint8Array> {
    return new ReadableStream({
      start: (controller) => void this.#bodies.set(id, controller),
      cancel: () => void this.#bodies.delete(id),
    });
  }

  /** Ends the bodies of requests that no longer wait. */
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

import { errorMessage, type Redactor } from "@mdx-ai/base";
import { type AgentEvent, withoutCopies } from "@mdx-ai/loop";

/** How events are written. */
type EventFormat = "sse" | "ndjson";

/** How often an idle stream gets a sign of life, in milliseconds, so that both ends notice a dead connection. */
const INTERVAL = 15_000;

/** Calls all its members at intervals. One timer serves any number of streams, and none runs without any. */
export class Heartbeat {
  readonly #members = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  add(member: () => void): void {
    this.#members.add(member);
    this.#timer ??= setInterval(() => {
      for (const one of this.#members) one();
    }, INTERVAL);
  }

  delete(member: () => void): void {
    this.#members.delete(member);
    if (this.#members.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

interface StreamServices {
  readonly heartbeat: Heartbeat;
  readonly onWarning: (message: string) => void;
}

export interface EventStreamOptions extends StreamServices {
  readonly format: EventFormat;
  readonly redactor: Redactor;
}

/** A body that writes events as they come, as fast as its client reads. It ends with the events, or when the client leaves. */
export function eventStream(events: AsyncIterable<AgentEvent>, options: EventStreamOptions): ReadableStream<string> {
  const { format, redactor } = options;
  const write = format === "sse" ? sseText : ndjsonText;
  return textStream(events, options, format === "sse" ? ": \n\n" : "\n", (event) => write(event, redactor));
}

/** The same for any values and texts. `idle` is the text that means nothing. If they reject, the connection breaks, so that no client takes that for their end. */
export function textStream<Value>(
  values: AsyncIterable<Value>,
  { heartbeat, onWarning }: StreamServices,
  idle: string,
  textOf: (value: Value) => string,
): ReadableStream<string> {
  const iterator = values[Symbol.asyncIterator]();
  let beat = (): void => {};
  let hasLeft = false;
  return new ReadableStream<string>({
    start(controller) {
      // Sends the head of the answer at once.
      controller.enqueue(idle);
      beat = () => {
        // A client that reads nothing gets nothing more.
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(idle);
      };
      heartbeat.add(beat);
    },
    async pull(controller) {
      try {
        const { done, value } = await iterator.next();
        if (hasLeft) return;
        if (!done) return controller.enqueue(textOf(value));
        heartbeat.delete(beat);
        controller.close();
      } catch (error) {
        heartbeat.delete(beat);
        if (hasLeft) return;
        onWarning(`a stream of events broke: ${errorMessage(error)}`);
        // Without the error, which Bun would print.
        controller.error();
      }
    },
    async cancel() {
      hasLeft = true;
      heartbeat.delete(beat);
      await iterator.return?.();
    },
  });
}

const sseText = (event: AgentEvent, redactor: Redactor): string =>
  `${event.id === undefined ? "" : `id: ${event.id}\n`}data: ${redactor.json(withoutCopies(event))}\n\n`;

const ndjsonText = (event: AgentEvent, redactor: Redactor): string => `${redactor.json(withoutCopies(event))}\n`;

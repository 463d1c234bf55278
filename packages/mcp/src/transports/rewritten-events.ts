import { createParser, type EventSourceMessage } from "eventsource-parser";

export interface EventRewriting {
  /** The replacement for an event. */
  readonly event: (event: EventSourceMessage) => string;
  /** Text added at the end, or before the error with which the stream breaks off. */
  readonly end: (error?: unknown) => string;
}

/** An event stream in which each event is rewritten. */
export function rewrittenEvents(
  body: ReadableStream<Uint8Array>,
  { event, end }: EventRewriting,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let written = "";
  const parser = createParser({
    onEvent: (each) => {
      written += event(each);
    },
    onRetry: (milliseconds) => {
      written += `retry: ${milliseconds}\n\n`;
    },
  });
  const flushed = (): Uint8Array => {
    const bytes = encoder.encode(written);
    written = "";
    return bytes;
  };
  /** Whether there is more. */
  const read = async (): Promise<boolean> => {
    const { done, value } = await reader.read();
    // The last event may lack the empty line.
    parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }));
    return !done;
  };
  const failures: unknown[] = [];
  return new ReadableStream({
    pull: async (controller) => {
      if (failures.length > 0) return controller.error(failures[0]);
      let isMore = true;
      while (isMore && written === "") {
        isMore = await read().catch((error) => {
          failures.push(error);
          return false;
        });
      }
      if (!isMore) written += end(failures[0]);
      if (written !== "") controller.enqueue(flushed());
      else if (failures.length > 0) controller.error(failures[0]);
      if (!isMore && failures.length === 0) controller.close();
    },
    cancel: (reason) => {
      end();
      return reader.cancel(reason);
    },
  });
}

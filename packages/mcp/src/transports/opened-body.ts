/** A response body whose type was detected from its first bytes. */
export interface OpenedBody {
  readonly kind: "json" | "events" | "nothing" | "other";
  /** The whole body. */
  readonly body: ReadableStream<Uint8Array>;
  /** Its first characters. */
  readonly head: string;
}

export const EVENT_STREAM = "text/event-stream";

/** Bytes that are inspected. */
const HEAD = 512;

/** Reads the start of a body to detect its type. Rejects if the connection breaks off first. */
export async function openedBody({ body, headers }: Response): Promise<OpenedBody> {
  const type = headers.get("content-type")?.toLowerCase() ?? "";
  if (!body) return { kind: "nothing", body: new ReadableStream(), head: "" };
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let head = "";
  while (head.trim() === "") {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    head += new TextDecoder().decode(value.subarray(0, HEAD));
  }
  return { kind: kindOf(head.trim(), type), body: resumed(pieces, reader), head };
}

function kindOf(head: string, type: string): OpenedBody["kind"] {
  if (/^[{[]/.test(head)) return "json";
  if (type.startsWith(EVENT_STREAM) || /^(?:event|data|id|retry)?:/.test(head)) return "events";
  if (head === "") return "nothing";
  return type.includes("json") ? "json" : "other";
}

/** The part of a stream reader that is used; the platform's types for it conflict. */
interface StreamReader {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/** A stream that repeats what was read of another one and continues with the rest. */
const resumed = (pieces: readonly Uint8Array[], reader: StreamReader): ReadableStream<Uint8Array> => {
  const waiting = [...pieces];
  return new ReadableStream({
    pull: async (controller) => {
      const value = waiting.shift() ?? (await reader.read()).value;
      if (value) controller.enqueue(value);
      else controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
};

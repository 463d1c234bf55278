export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Bytes of one message in an answer. */
const MAX_LENGTH = 32 * 1024 * 1024;

/** A message is too long. */
export class TooLongError extends Error {
  override readonly name = "TooLongError";

  constructor() {
    super("The answer is too long to be read.");
  }
}

/** As `fetch`, but the body breaks off if one message is too long: the whole body, or an event of a stream. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  return withAddress(response, new Response(body.pipeThrough(bound(isStream)), { status, statusText, headers }));
}

/** A copy of the response that keeps its address after redirects. */
export function withAddress({ url, redirected }: Response, response: Response): Response {
  Object.defineProperty(response, "url", { value: url });
  Object.defineProperty(response, "redirected", { value: redirected });
  return response;
}

/** Two line ends in a row: an empty line, which ends an event. `\r\n` is one line end, and twice it contains the last of these. */
const EVENT_ENDS = ["\n\n", "\r\r", "\n\r"];

function bound(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  let last = Buffer.alloc(0);
  /** The bytes after the last end of an event. */
  const restOf = (bytes: Uint8Array): number | undefined => {
    const seen = Buffer.concat([last, bytes]);
    last = seen.subarray(-1);
    const end = Math.max(...EVENT_ENDS.map((each) => seen.lastIndexOf(each)));
    return end < 0 ? undefined : seen.length - end - 2;
  };
  return new TransformStream({
    transform(bytes, controller) {
      length = (isStream ? restOf(bytes) : undefined) ?? length + bytes.length;
      if (length > MAX_LENGTH) controller.error(new TooLongError());
      else controller.enqueue(bytes);
    },
  });
}

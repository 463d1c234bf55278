export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Bytes of one message in an answer. */
const MAX_LENGTH = 32 * 1024 * 1024;

const NEWLINE = 0x0a;

/** As `fetch`, but the body breaks off if one message is too long: the whole body, or a line of an event stream. */
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

function bound(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(bytes, controller) {
      const newline = isStream ? bytes.lastIndexOf(NEWLINE) : -1;
      length = newline < 0 ? length + bytes.length : bytes.length - newline;
      if (length > MAX_LENGTH) controller.error(new Error("The answer is too long to be read."));
      else controller.enqueue(bytes);
    },
  });
}

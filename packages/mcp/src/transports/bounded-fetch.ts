/** Bytes of one message in an answer. */
const LONGEST = 32 * 1024 * 1024;

const NEWLINE = 0x0a;

/** As `fetch`, but the body breaks off if a message in it is longer than any that is read: the whole body, or a line of an event stream. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const bounded = new Response(body.pipeThrough(bound(isStream)), { status, statusText, headers });
  // The address after redirects, which a new response would not know.
  Object.defineProperty(bounded, "url", { value: response.url });
  Object.defineProperty(bounded, "redirected", { value: response.redirected });
  return bounded;
}

function bound(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(bytes, controller) {
      const newline = isStream ? bytes.lastIndexOf(NEWLINE) : -1;
      length = newline < 0 ? length + bytes.length : bytes.length - newline;
      if (length > LONGEST) controller.error(new Error("The answer is too long to be read."));
      else controller.enqueue(bytes);
    },
  });
}

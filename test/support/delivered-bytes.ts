/** How the bytes of an answer reach the client. Without it they come in one write and the response ends cleanly. */
export interface Delivery {
  /** The most bytes of one write; 1 tears every letter beyond ASCII apart. */
  readonly chunk?: number;
  /** Milliseconds between two writes, or a promise to wait for. */
  readonly pause?: number | Promise<void>;
  /** `hang` keeps the connection open and silent, until the client closes it or the server's `breakOff` is called. */
  readonly end?: "clean" | "hang";
}

/** The body of a response that delivers bytes so, until a signal breaks its connection. */
export function deliveredBytes(
  bytes: Uint8Array,
  { chunk = Number.POSITIVE_INFINITY, pause = 0, end = "clean" }: Delivery,
  broken: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    start: (controller) => broken?.addEventListener("abort", () => controller.error(), { once: true }),
    async pull(controller) {
      if (sent > 0) await (typeof pause === "number" ? Bun.sleep(pause) : pause);
      if (sent < bytes.length) {
        controller.enqueue(bytes.subarray(sent, sent + chunk));
        sent += chunk;
      } else if (end === "clean") {
        controller.close();
      } else {
        await new Promise(() => {});
      }
    },
  });
}

/**
 * A model server for the benchmark, in a process of its own so that its work is not counted. It prints its address.
 * `POST /burst/COUNT/v1/messages` sends so many deltas at once, `POST /drip/COUNT/v1/messages` each in a network write of
 * its own.
 */

const event = (data: { readonly type: string; readonly [key: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const head = [
  event({
    type: "message_start",
    message: { id: "msg_1", type: "message", role: "assistant", content: [], usage: { input_tokens: 100 } },
  }),
  event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
  event({ type: "ping" }),
].join("");

const delta = event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "lorem " } });

const tail = (count: number): string =>
  [
    event({ type: "content_block_stop", index: 0 }),
    event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: count } }),
    event({ type: "message_stop" }),
  ].join("");

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function answer(count: number, burst: boolean): ReadableStream {
  return new ReadableStream({
    type: "direct",
    async pull(controller) {
      controller.write(head);
      await controller.flush();
      if (burst) controller.write(delta.repeat(count));
      for (let sent = 0; !burst && sent < count; sent++) {
        controller.write(delta);
        await controller.flush();
        // Without it the runtime gathers many deltas into one packet.
        await nextTick();
      }
      controller.write(tail(count));
      await controller.flush();
      controller.close();
    },
  });
}

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    await request.text();
    const url = new URL(request.url);
    const count = Number(url.pathname.match(/\/(\d+)\//)?.[1] ?? "0");
    return new Response(answer(count, url.pathname.startsWith("/burst/")), {
      headers: { "content-type": "text/event-stream" },
    });
  },
});

console.log(server.url.origin);

// A scripted model on loopback, in a separate process, so that its work is not measured. Prints its address. `POST /begin/NAME` starts
// recording the scenario NAME (`?tool=NAME&parameter=NAME`: how the contestant reads files), `GET /recording` returns the recording.
import { type Answer, answer, READ_FILE } from "./answer.ts";
import { HISTORY, type Reply, SCENARIOS } from "./scenarios.ts";

/** One request to the model; times are milliseconds since 1970, with fractions. */
export interface Exchange {
  readonly arrivedAt: number;
  /** When the last byte of the answer was handed over; 0 until then. */
  endedAt: number;
  readonly bodyBytes: number;
}

/** The response of `/recording`. */
export interface Recording {
  readonly exchanges: readonly Exchange[];
  /** The body of the last request. */
  readonly lastBody: string;
}

const EVENT_STREAM = { headers: { "content-type": "text/event-stream" } };

const UNRECORDED: Exchange = { arrivedAt: 0, endedAt: 0, bodyBytes: 0 };

const now = (): number => performance.timeOrigin + performance.now();
const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function serveModel(): string {
  let replies: readonly Reply[] = [];
  let recording: { exchanges: Exchange[]; lastBody: string } = { exchanges: [], lastBody: "" };
  let lastId = 0;
  let readTool = READ_FILE;

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    maxRequestBodySize: 2 ** 30,
    routes: {
      "/begin/:name": {
        POST: (request) => {
          const scenario = [HISTORY, ...SCENARIOS].find(({ name }) => name === request.params.name);
          replies = scenario?.replies ?? [];
          const asked = new URL(request.url).searchParams;
          readTool = {
            name: asked.get("tool") ?? READ_FILE.name,
            parameter: asked.get("parameter") ?? READ_FILE.parameter,
          };
          recording = { exchanges: [], lastBody: "" };
          return new Response(null, { status: scenario === undefined ? 404 : 204 });
        },
      },
      "/recording": { GET: () => Response.json(recording satisfies Recording) },
      "/v1/messages": {
        POST: async (request) => {
          const arrivedAt = now();
          const lastBody = await request.text();
          // Titles and the like are no part of the scenario.
          if (!lastBody.includes('"tools":[{')) return stream(answer({ kind: "text" }, 0), { ...UNRECORDED }, true);
          const exchange = { arrivedAt, endedAt: 0, bodyBytes: Buffer.byteLength(lastBody) };
          const reply = replies[recording.exchanges.length] ?? { kind: "text" };
          recording.exchanges.push(exchange);
          recording.lastBody = lastBody;
          lastId += 1;
          return stream(answer(reply, lastId, readTool), exchange, reply.kind !== "deltas" || reply.burst);
        },
      },
    },
  });
  return server.url.origin;
}

function stream({ head, delta, deltas, tail }: Answer, exchange: Exchange, burst: boolean): Response {
  if (deltas === 1) {
    exchange.endedAt = now();
    return new Response(head + delta + tail, EVENT_STREAM);
  }
  const body = new ReadableStream({
    type: "direct",
    async pull(controller) {
      controller.write(head);
      await controller.flush();
      if (burst) controller.write(delta.repeat(deltas));
      for (let sent = 0; !burst && sent < deltas; sent++) {
        controller.write(delta);
        await controller.flush();
        // Without it the runtime gathers many deltas into one packet.
        await nextTick();
      }
      controller.write(tail);
      await controller.flush();
      exchange.endedAt = now();
      controller.close();
    },
  });
  return new Response(body, EVENT_STREAM);
}

if (import.meta.main) console.log(serveModel());

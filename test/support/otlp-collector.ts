import {
  type Attributes,
  pointsOf,
  type ReceivedPoint,
  type ReceivedSpan,
  resourceOf,
  spansOf,
} from "./otlp-documents.ts";
import { OTLP_SCHEMA } from "./otlp-schema.ts";
import { readProtobuf } from "./protobuf.ts";

interface ReceivedRequest {
  readonly path: string;
  readonly headers: Headers;
  /** Uncompressed, as text; bytes that are not UTF-8 are replaced. */
  readonly text: string;
  readonly document: unknown;
}

/** A collector of OTLP over HTTP on loopback, for JSON and protocol buffers. */
export interface OtlpCollector extends Disposable {
  /** Without a slash at its end. */
  readonly url: string;
  /** In the order of arrival, refused ones included. */
  readonly requests: readonly ReceivedRequest[];
  /** Of all accepted requests. */
  readonly spans: readonly ReceivedSpan[];
  readonly points: readonly ReceivedPoint[];
  /** Of the first request. */
  readonly resource: Attributes;
}

/** How the collector answers a request; by default it accepts it. */
export type CollectorReply = { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | "hang";

/** Starts a collector on a free port; each request gets one of the replies, in their order. */
export function otlpCollector(...replies: CollectorReply[]): OtlpCollector {
  const requests: ReceivedRequest[] = [];
  const taken: unknown[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const received = await receive(request);
      requests.push(received);
      const reply = replies.shift() ?? { status: 200 };
      if (reply === "hang") await new Promise(() => {});
      if (reply !== "hang" && reply.status !== 200) return new Response("", reply);
      taken.push(received.document);
      return Response.json({});
    },
  });
  return {
    url: server.url.origin,
    requests,
    get spans() {
      return taken.flatMap(spansOf);
    },
    get points() {
      return taken.flatMap(pointsOf);
    },
    get resource() {
      return resourceOf(taken[0]);
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

async function receive(request: Request): Promise<ReceivedRequest> {
  const { headers } = request;
  const sent = new Uint8Array(await request.arrayBuffer());
  const bytes = headers.get("content-encoding") === "gzip" ? Bun.gunzipSync(sent) : sent;
  const path = new URL(request.url).pathname;
  const text = new TextDecoder().decode(bytes);
  return { path, headers, text, document: documentOf(headers.get("content-type"), { path, bytes, text }) };
}

function documentOf(
  type: string | null,
  { path, bytes, text }: { readonly path: string; readonly bytes: Uint8Array; readonly text: string },
): unknown {
  if (type === "application/json") return JSON.parse(text);
  return readProtobuf(bytes, path.endsWith("/metrics") ? "MetricsRequest" : "TraceRequest", OTLP_SCHEMA);
}

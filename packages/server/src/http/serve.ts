import { errorMessage } from "@mdx-ai/base";
import type { Server, WebSocketHandler } from "bun";
import type { HttpApi } from "./http-api.ts";
import type { ServeOptions } from "./serve-options.ts";
import type { SocketHandler } from "./socket.ts";

/** A server that listens. */
export interface RunningServer {
  /** Such as "http://127.0.0.1:4100", without a slash. */
  readonly url: string;
  readonly port: number;
  /**
   * Opens the agents of the known users, which then continue what an earlier process left unfinished; without it, each is opened by its first
   * request. Rejects with the first failure.
   */
  open(): Promise<void>;
  /** Stops taking requests, closes the agents, and ends all connections. Running prompts stay interrupted. Never rejects. */
  stop(): Promise<void>;
}

/** Seconds after which a silent connection without a stream is closed. */
const IDLE_SECONDS = 30;

/** Bytes; each route has a smaller limit. */
const MAX_BODY = 67_108_864;

/** A client that reads too slowly loses its connection. */
const SOCKETS: WebSocketHandler<SocketHandler> = {
  ...{ maxPayloadLength: MAX_BODY, backpressureLimit: MAX_BODY, closeOnBackpressureLimit: true },
  open: (socket) => socket.data.open((text) => void socket.send(text)),
  message: ({ data }, message) => data.message(String(message)),
  close: ({ data }) => data.close(),
};

/** The code that answers requests. */
export const loadApi = (): Promise<typeof import("./http-api.ts")> => import("./http-api.ts");

async function load(options: ServeOptions): Promise<HttpApi> {
  const [{ HttpApi: Api }, agents] = await Promise.all([loadApi(), options.agents()]);
  return new Api(options, agents);
}

/** Such as while connections have taken all file descriptors. */
const NOT_LOADED = { status: 503, headers: { "retry-after": "1" } };

/** Listens at once: the rest of the program is loaded with the first request, or by `open`. Throws the system's error if the address is in use. */
export function serve(options: ServeOptions): RunningServer {
  const { host } = options;
  let loading: Promise<HttpApi> | undefined;
  const api = (): Promise<HttpApi> => {
    loading ??= load(options).catch((error: unknown) => {
      // The next request tries again.
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const server: Server<SocketHandler> = Bun.serve<SocketHandler>({
    ...{ hostname: host, port: options.port, idleTimeout: IDLE_SECONDS, maxRequestBodySize: MAX_BODY },
    // Else Bun shows its own page, with the source.
    development: false,
    // Else Bun shares the port with other servers, since this one is not for development.
    reusePort: false,
    error: (error) => {
      options.onWarning(`a request failed: ${errorMessage(error)}`);
      return new Response("the server cannot load what answers requests", NOT_LOADED);
    },
    fetch: async (request) =>
      (await api()).answer(request, {
        keepOpen: () => server.timeout(request, 0),
        upgrade: (data) => server.upgrade(request, { data }),
      }),
    websocket: SOCKETS,
  });
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`,
    port: server.port ?? options.port,
    open: async () => (await api()).open(),
    stop: async () => {
      const stopped = server.stop();
      await (await loading?.catch(() => undefined))?.close();
      await server.stop(true);
      await stopped;
    },
  };
}

import { createServer, type Http2Server, type Http2ServerRequest, type ServerHttp2Session } from "node:http2";
import { errorMessage } from "@mdx-ai/base";
import {
  type Context,
  createEndpointHandler,
  type ServiceDefinition,
  type VirtualObjectDefinition,
} from "@restatedev/restate-sdk";
import { EngineError } from "./engine-error.ts";

/**
 * Milliseconds: how long a step may run. The engine must not end the input of an idle attempt before, for its running step would not hear that
 * the prompt is cancelled, or would be run again; the host suspends an attempt that only waits.
 */
export const MAX_STEP: number = 24 * 3_600_000;

/** What a worker runs for the engine. */
export type EngineService = VirtualObjectDefinition<string, unknown> | ServiceDefinition<string, unknown>;

export interface WorkerOptions {
  readonly host: string;
  readonly port: number;
  readonly services: EngineService[];
  readonly attempts: Attempts;
  readonly onWarning: (message: string) => void;
}

/** A worker that listens for the engine. */
export interface Worker {
  readonly port: number;
  /** Cuts off all attempts, as when the network breaks: the engine tries again. */
  disconnect(): void;
  /** Stops listening and cuts off all attempts: the engine continues on another worker. */
  stop(): Promise<void>;
}

/** The header that names an attempt to its handler. */
const ATTEMPT = "x-mdx-ai-attempt";

/** The attempts that run in this process. */
export class Attempts {
  readonly #running = new Map<string, () => void>();

  /**
   * Ends the input of an attempt that waits for the engine: the SDK suspends it, and the engine begins another one when what it waits for has come.
   * While a step of it runs, nothing must call this: the step would not hear that the prompt is cancelled.
   */
  suspend(context: Pick<Context, "request">): void {
    this.#running.get(String(context.request().attemptHeaders.get(ATTEMPT)))?.();
  }

  /** Lets an attempt be suspended; call it before the SDK reads the request. */
  add(request: Http2ServerRequest): void {
    const id = crypto.randomUUID();
    const { promise: ended, resolve } = Promise.withResolvers<IteratorReturnResult<undefined>>();
    const input: AsyncIterator<unknown> = request[Symbol.asyncIterator]();
    const next = (): Promise<IteratorResult<unknown>> => Promise.race([input.next(), ended]);
    Object.defineProperty(request, Symbol.asyncIterator, { value: () => ({ next }) });
    request.headers[ATTEMPT] = id;
    this.#running.set(id, () => resolve({ done: true, value: undefined }));
    request.once("close", () => this.#running.delete(id));
  }
}

/** What the SDK says of an attempt whose connection broke: the engine has begun another one. */
const CUT_OFF =
  /write after end|aborted|ECONNRESET|EPIPE|stream (was |has been )?(closed|destroyed)|attempt has ended|worker stops/i;

/** Listens for the engine's calls. Workers on one machine may share a port. Rejects with `EngineError`. */
export async function startWorker({ host, port, services, attempts, onWarning }: WorkerOptions): Promise<Worker> {
  const handler = createEndpointHandler({
    services,
    logger: (meta, message, ...more) => {
      const [line = ""] = [message, ...more].map(String).join(" ").split("\n");
      if (meta.level === "error" && !CUT_OFF.test(line)) onWarning(`engine: ${line}`);
    },
  });
  const server = createServer((request, response) => {
    if (request.url.endsWith("/run")) attempts.add(request);
    handler(request, response);
  });
  const connections = new Set<ServerHttp2Session>();
  server.on("session", (connection) => {
    connections.add(connection);
    connection.on("close", () => connections.delete(connection));
  });
  const disconnect = (): void => {
    for (const connection of connections) connection.destroy();
  };
  return {
    port: await listen(server, host, port),
    disconnect,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      disconnect();
      await closed;
    },
  };
}

function listen(server: Http2Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(new EngineError(`the worker cannot listen on ${host}, port ${port}: ${errorMessage(cause)}`, { cause })),
    );
    server.listen({ host, port, reusePort: true }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

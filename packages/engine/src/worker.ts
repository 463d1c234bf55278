import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import { errorMessage } from "@mdx-ai/base";
import { createEndpointHandler, type VirtualObjectDefinition } from "@restatedev/restate-sdk";
import { EngineError } from "./engine-error.ts";

export interface WorkerOptions {
  readonly host: string;
  readonly port: number;
  readonly services: VirtualObjectDefinition<string, unknown>[];
  readonly onWarning: (message: string) => void;
}

/** A worker that listens for the engine. */
export interface Worker {
  readonly port: number;
  /** Ends all connections: the engine continues on another worker. */
  stop(): Promise<void>;
}

/** Listens for the engine's calls. Workers on one machine may share a port. Rejects with `EngineError`. */
export async function startWorker({ host, port, services, onWarning }: WorkerOptions): Promise<Worker> {
  const handler = createEndpointHandler({
    services,
    logger: (meta, message, ...more) => {
      if (meta.level === "error") onWarning(`engine: ${[message, ...more].map(String).join(" ")}`);
    },
  });
  const server = createServer(handler);
  const connections = new Set<ServerHttp2Session>();
  server.on("session", (connection) => {
    connections.add(connection);
    connection.on("close", () => connections.delete(connection));
  });
  return { port: await listen(server, host, port), stop: () => stop(server, connections) };
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

async function stop(server: Http2Server, connections: ReadonlySet<ServerHttp2Session>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const connection of connections) connection.destroy();
  await closed;
}

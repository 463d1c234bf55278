import { createServer, type Socket } from "node:net";
import { isRecord } from "@mdx-ai/base";

/** What a server writes for a request: a message, or any text. Undefined: nothing. */
export type OddAnswer = (id: unknown, params: Readonly<Record<string, unknown>>) => unknown;

export interface OddServer extends AsyncDisposable {
  readonly url: string;
  /** The messages that it received. */
  readonly received: readonly Readonly<Record<string, unknown>>[];
}

export const answer = (id: unknown, result: unknown): object => ({ jsonrpc: "2.0", id, result });

const object = { type: "object" };

/** What a server of the revision 2025-11-25 with two tools answers. */
const GOOD: Readonly<Record<string, OddAnswer>> = {
  initialize: (id, { protocolVersion }) =>
    answer(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "odd", version: "1" } }),
  "tools/list": (id) => answer(id, { tools: ["echo", "other"].map((name) => ({ name, inputSchema: object })) }),
  "tools/call": (id, params) => answer(id, { content: [{ type: "text", text: JSON.stringify(params["arguments"]) }] }),
  ping: (id) => answer(id, {}),
};

const unknownMethod = (id: unknown): unknown => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32601, message: "Method not found" },
});

function written(message: Readonly<Record<string, unknown>>, answers: Readonly<Record<string, OddAnswer>>): string {
  const { id, method, params } = message;
  if (id === undefined || typeof method !== "string") return "";
  const respond = answers[method] ?? GOOD[method] ?? unknownMethod;
  const value = respond(id, isRecord(params) ? params : {});
  if (value === undefined) return "";
  return typeof value === "string" ? value : `${JSON.stringify(value)}\n`;
}

/** A server on a TCP port that answers some methods in its own way, and the others as a good one. */
export async function oddLineServer(answers: Readonly<Record<string, OddAnswer>>): Promise<OddServer> {
  const sockets = new Set<Socket>();
  const received: Readonly<Record<string, unknown>>[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    let rest = "";
    socket.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const message = JSON.parse(line);
        received.push(message);
        socket.write(written(message, answers));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  return {
    url: `tcp://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    received,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Answers in place of the server over HTTP; `body` is what it would write. Undefined: as a good one. */
export type OddResponse = (request: Request, body: string) => Response | undefined;

/** The same over HTTP, with responses as some servers send them. */
export function oddHttpServer(
  answers: Readonly<Record<string, OddAnswer>>,
  respond: OddResponse = () => undefined,
): OddServer {
  const received: Readonly<Record<string, unknown>>[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const text = await request.text();
      const message = text === "" ? {} : JSON.parse(text);
      if (text !== "") received.push(message);
      const body = written(message, answers);
      const odd = respond(request, body);
      if (odd) return odd;
      if (request.method !== "POST") return new Response(null, { status: 405 });
      if (message.id === undefined || message.method === undefined) return new Response(null, { status: 202 });
      return new Response(body, { headers: { "content-type": "application/json" } });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    received,
    [Symbol.asyncDispose]: async () => {
      await server.stop(true);
    },
  };
}

import { createMcpHandler, Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";

export interface McpHttpServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly Request[];
  /** Adds a tool and says so. */
  addTool(name: string): void;
  /** Forgets all sessions, as a server does that starts again. */
  forget(): void;
}

export interface McpHttpServerOptions {
  /** `both` revisions, each request on its own; or `sessions` of the revisions up to 2025-11-25. */
  readonly kind: "both" | "sessions";
  /** Answers in place of the server, such as by asking for a sign-in. */
  readonly intercept?: (request: Request) => Response | undefined | Promise<Response | undefined>;
}

/** A server made with the official package, on a port of the loopback network. */
export function mcpHttpServer({ kind, intercept }: McpHttpServerOptions): McpHttpServer {
  const requests: Request[] = [];
  const tools = ["echo"];
  const handler = createMcpHandler(() => newServer(tools));
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      requests.push(new Request(request));
      const own = await intercept?.(request);
      if (own) return own;
      return kind === "both" ? handler.fetch(request) : serveSession(request, sessions, tools);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    requests,
    addTool: (name) => {
      tools.push(name);
      handler.notify.toolsChanged();
    },
    forget: () => sessions.clear(),
    [Symbol.asyncDispose]: async () => {
      await handler.close();
      await server.stop(true);
    },
  };
}

function newServer(tools: readonly string[]): Server {
  const server = new Server({ name: "official", version: "1" }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler("tools/list", () => ({
    tools: tools.map((name) => ({ name, inputSchema: { type: "object" } })),
  }));
  server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: JSON.stringify(params.arguments) }],
  }));
  return server;
}

async function serveSession(
  request: Request,
  sessions: Map<string, WebStandardStreamableHTTPServerTransport>,
  tools: readonly string[],
): Promise<Response> {
  const id = request.headers.get("mcp-session-id");
  const known = id === null ? undefined : sessions.get(id);
  if (known) return known.handleRequest(request);
  if (id !== null) return new Response("no such session", { status: 404 });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (session) => void sessions.set(session, transport),
  });
  await newServer(tools).connect(transport);
  return transport.handleRequest(request);
}

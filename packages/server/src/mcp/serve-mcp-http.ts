import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { checkHost, foreignOrigin, type OriginRules } from "../http/access/origin.ts";
import { type Access, callerOf } from "../http/access/tokens.ts";
import { type Problem, ProblemError, problemOf, problemResponse } from "../http/problem.ts";
import type { AgentServerParts } from "./agent-parts.ts";
import { type AgentServers, agentServers } from "./agent-server.ts";

export interface McpHttpOptions extends AgentServerParts {
  /** 0 for a free one. */
  readonly port: number;
  readonly access: Access;
}

export interface RunningMcpServer {
  /** Such as "http://127.0.0.1:4100/mcp". */
  readonly url: string;
  /** Ends all connections; their prompts are cancelled. Never rejects. */
  stop(): Promise<void>;
}

const PATH = "/mcp";
const HOST = "127.0.0.1";

/** This machine alone. */
const RULES: OriginRules = { hosts: [], origins: [], isPublic: false };

/** Serves an open agent over HTTP, to clients of this machine. Rejects with the system's error if the port is in use. */
export async function serveMcpHttp({ port, access, ...parts }: McpHttpOptions): Promise<RunningMcpServer> {
  const endpoint = new McpEndpoint(await agentServers(parts));
  const server = Bun.serve({
    ...{ hostname: HOST, port, idleTimeout: 30, maxRequestBodySize: MAX_BODY },
    // Bun's default shares the port with other servers if NODE_ENV is production.
    reusePort: false,
    fetch: async (request) => {
      try {
        checkRequest(request, access);
        server.timeout(request, 0);
        return await endpoint.answer(request);
      } catch (error) {
        const problem = problemOf(error);
        if (problem === undefined) parts.onWarning(`a request failed: ${String(error)}`);
        return problemResponse(problem ?? FAILURE, problem?.status === 401 ? { "www-authenticate": "Bearer" } : {});
      }
    },
  });
  return {
    url: `http://${HOST}:${server.port}${PATH}`,
    stop: async () => {
      const stopped = server.stop();
      await endpoint.close();
      await server.stop(true);
      await stopped;
    },
  };
}

/** Bytes. */
const MAX_BODY = 4_194_304;

const FAILURE: Problem = { status: 500, code: "failure", detail: "the request failed; the server's log says why" };

/** Throws `ProblemError` unless the request has the token, and comes from this machine and no web page of another origin. */
function checkRequest(request: Request, access: Access): void {
  checkHost(request, RULES);
  foreignOrigin(request, RULES);
  if (callerOf(access, request.headers) === undefined) {
    const detail = "the request needs a valid token in `Authorization: Bearer TOKEN`";
    throw new ProblemError({ status: 401, code: "no_token", detail });
  }
  if (new URL(request.url).pathname !== PATH) {
    throw new ProblemError({ status: 404, code: "unknown_path", detail: `the agent is at ${PATH}` });
  }
}

/** Connections of clients of older revisions; the one that was used least recently is closed for a new one. */
const MAX_CONNECTIONS = 200;

/** Answers requests of both kinds of clients: newer ones have no connection, and older ones one that is opened by `initialize`. */
class McpEndpoint {
  readonly #servers: AgentServers;
  readonly #handler: McpHttpHandler;
  /** By id, the least recently used first. */
  readonly #connections = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(servers: AgentServers) {
    this.#servers = servers;
    const { create, changes } = servers;
    this.#handler = createMcpHandler(create, { legacy: "reject", maxRequestBodySize: MAX_BODY, bus: changes.bus });
  }

  async answer(request: Request): Promise<Response> {
    if (!(await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_BODY })))
      return this.#handler.fetch(request);
    const id = request.headers.get("mcp-session-id");
    if (id === null) return (await this.#open()).handleRequest(request);
    const known = this.#connections.get(id);
    if (known === undefined) {
      throw new ProblemError({
        status: 404,
        code: "unknown_connection",
        detail: "the connection has ended; begin with initialize",
      });
    }
    this.#use(id, known);
    return known.handleRequest(request);
  }

  /** Never rejects. */
  async close(): Promise<void> {
    const open = [...this.#connections.values()].map((connection) => connection.close());
    await Promise.allSettled([this.#handler.close(), ...open]);
  }

  async #open(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => this.#use(id, transport),
      onsessionclosed: (id) => void this.#connections.delete(id),
      maxRequestBodySize: MAX_BODY,
    });
    const { create, changes } = this.#servers;
    await changes.add(create({ era: "legacy" })).connect(transport);
    return transport;
  }

  #use(id: string, transport: WebStandardStreamableHTTPServerTransport): void {
    this.#connections.delete(id);
    this.#connections.set(id, transport);
    const [oldest] = this.#connections;
    if (this.#connections.size <= MAX_CONNECTIONS || oldest === undefined) return;
    this.#connections.delete(oldest[0]);
    void oldest[1].close().catch(() => {});
  }
}

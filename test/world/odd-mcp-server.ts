import { isRecord } from "@mdx-ai/base";

/**
 * What an MCP server answers, by method: an object is the result, a text the line itself, in which `$id` is the id of the
 * request; a list has one answer for each request, the last of which stays.
 */
export type McpScript = Readonly<Record<string, unknown>>;

/** What every server answers that is not scripted otherwise. */
const USUAL: McpScript = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "odd", version: "1" },
  },
  "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object", properties: {} } }] },
  ping: {},
};

/** Answers the messages of a client by a script. */
export class ScriptedAnswers {
  readonly #script: McpScript;
  readonly #asked = new Map<string, number>();

  constructor(script: McpScript) {
    this.#script = script;
  }

  /** The line that answers a message; undefined if it wants none. */
  lineFor(json: string): string | undefined {
    const message: unknown = JSON.parse(json);
    if (!isRecord(message) || message["id"] === undefined || typeof message["method"] !== "string") return undefined;
    const { id, method, params } = message;
    const answer = this.#answerOf(method) ?? (method === "tools/call" ? echoed(params) : undefined);
    if (typeof answer === "string") return answer.replaceAll("$id", JSON.stringify(id));
    if (answer === undefined)
      return JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
    return JSON.stringify({ jsonrpc: "2.0", id, result: answer });
  }

  #answerOf(method: string): unknown {
    const scripted = this.#script[method] ?? USUAL[method];
    if (!Array.isArray(scripted)) return scripted;
    const count = this.#asked.get(method) ?? 0;
    this.#asked.set(method, count + 1);
    return scripted[Math.min(count, scripted.length - 1)];
  }
}

function echoed(params: unknown): object {
  const args = isRecord(params) ? (params["arguments"] ?? null) : null;
  return { content: [{ type: "text", text: JSON.stringify(args) }] };
}

export interface OddMcpServer extends Disposable {
  readonly url: string;
}

/** How an MCP server speaks HTTP. */
export interface OddHttp {
  /** Turns the line of an answer into a response. Default: a document. */
  readonly respond?: (line: string) => Response;
  /** The answer to what wants none; default 202. */
  readonly accepted?: () => Response;
  /** The answer to GET; default 405. */
  readonly get?: () => Response;
}

/** A server of MCP over streamable HTTP that plays a script; it stops when the test's scope ends. */
export function oddMcpServer(script: McpScript, http: OddHttp = {}): OddMcpServer {
  const answers = new ScriptedAnswers(script);
  const { respond = documentResponse, accepted = () => new Response(null, { status: 202 }) } = http;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      if (request.method !== "POST") return http.get?.() ?? new Response(null, { status: 405 });
      const line = answers.lineFor(await request.text());
      return line === undefined ? accepted() : respond(line);
    },
  });
  return { url: `${server.url.origin}/mcp`, [Symbol.dispose]: () => void server.stop(true) };
}

/** The usual response: the line as a document. */
export const documentResponse = (line: string): Response =>
  new Response(line, { headers: { "content-type": "application/json" } });

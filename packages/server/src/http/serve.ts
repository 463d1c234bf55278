import type { Redactor } from "@mdx-ai/base";
import type { BunRequest, Server } from "bun";
import { type AgentSource, ServedAgents } from "../agents/served-agents.ts";
import { checkHost, corsHeaders, foreignOrigin, type OriginRules } from "./access/origin.ts";
import { type Access, callerOf, knownUsers } from "./access/tokens.ts";
import { Heartbeat } from "./event-stream.ts";
import { type Problem, ProblemError, problemOf, problemResponse } from "./problem.ts";
import type { Route, Services } from "./route.ts";
import { ROUTES } from "./routes/index.ts";

export interface ServeOptions extends OriginRules {
  readonly agents: readonly AgentSource[];
  /** An address or a name of this machine. */
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly access: Access;
  readonly redactor: Redactor;
  /** The program's version. */
  readonly version: string;
  /** Receives one line about each failure, which may be untrusted. */
  readonly onWarning: (message: string) => void;
}

/** A server that listens. */
export interface RunningServer {
  /** Such as "http://127.0.0.1:4100", without a slash. */
  readonly url: string;
  readonly port: number;
  /** Resolves when the agents of the known users are open. Rejects with the first failure. */
  readonly ready: Promise<void>;
  /** Stops taking requests, closes the agents, and ends all connections. Running prompts stay interrupted. Never rejects. */
  stop(): Promise<void>;
}

/** Seconds after which a silent connection without a stream is closed. */
const IDLE_SECONDS = 30;

/** Bytes; each route has a smaller limit. */
const MAX_BODY = 67_108_864;

/** Listens at once, then opens the agents. Throws the system's error if the address is in use. */
export function serve(options: ServeOptions): RunningServer {
  const { host, port, access, redactor, version, onWarning } = options;
  const agents = new ServedAgents(options.agents, onWarning);
  let isReady = false;
  const services: Services = {
    ...{ agents, redactor, version, onWarning },
    heartbeat: new Heartbeat(),
    isReady: () => isReady,
  };
  const paths = Map.groupBy(ROUTES, ({ path }) => path);
  const server = Bun.serve({
    ...{ hostname: host, port, idleTimeout: IDLE_SECONDS, maxRequestBodySize: MAX_BODY },
    routes: Object.fromEntries(
      [...paths].map(([path, routes]) => [
        path.replaceAll(/\{(\w+)\}/g, ":$1"),
        (request: BunRequest, at: Server<undefined>) => answer(request, { routes, options, services, server: at }),
      ]),
    ),
    fetch: (request, at) => answer(request, { routes: [], options, services, server: at }),
    error: (error) => failed(error, onWarning),
  });
  const ready = agents.openAll(knownUsers(access)).then(() => {
    isReady = true;
  });
  ready.catch(() => {});
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`,
    port: server.port ?? port,
    ready,
    stop: async () => {
      isReady = false;
      const stopped = server.stop();
      await agents.close();
      await server.stop(true);
      await stopped;
    },
  };
}

interface Matched {
  /** Those of the request's path, each with another method. */
  readonly routes: readonly Route[];
  readonly options: ServeOptions;
  readonly services: Services;
  readonly server: Server<undefined>;
}

/** Never rejects. */
async function answer(request: Request | BunRequest, matched: Matched): Promise<Response> {
  const { onWarning } = matched.options;
  let cors: Readonly<Record<string, string>> = {};
  try {
    checkHost(request, matched.options);
    cors = corsHeaders(foreignOrigin(request, matched.options));
    if (request.method === "OPTIONS") return secured(new Response(null, { status: 204 }), cors);
    return secured(await answered(request, matched), cors);
  } catch (error) {
    return secured(failed(error, onWarning), cors);
  }
}

async function answered(
  request: Request | BunRequest,
  { routes, options, services, server }: Matched,
): Promise<Response> {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const route = routes.find((one) => one.method === method);
  const caller = callerOf(options.access, request.headers);
  // Without a token, nobody learns which paths exist.
  if (caller === undefined && route?.isOpen !== true) throw new ProblemError(NO_TOKEN);
  if (route === undefined) throw new ProblemError(routes.length === 0 ? NO_PATH : noMethod(routes));
  const call = {
    ...{ request, services, caller: caller ?? { user: undefined } },
    parameters: "params" in request ? request.params : {},
    query: new URL(request.url).searchParams,
    keepOpen: () => server.timeout(request, 0),
  };
  return route.answer(call);
}

const NO_TOKEN: Problem = {
  status: 401,
  code: "no_token",
  detail: "the request needs a valid token in `Authorization: Bearer TOKEN`",
};

const NO_PATH: Problem = {
  status: 404,
  code: "unknown_path",
  detail: "there is nothing at this path; /openapi.json lists all paths",
};

const noMethod = (routes: readonly Route[]): Problem => ({
  status: 405,
  code: "wrong_method",
  detail: `this path takes ${routes.map(({ method }) => method).join(", ")}`,
});

/** The answer to a request that failed. A bug is reported to the person who runs the server alone. */
function failed(error: unknown, onWarning: (message: string) => void): Response {
  const problem = problemOf(error);
  if (problem === undefined)
    onWarning(`a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const shown = problem ?? { status: 500, code: "failure", detail: "the request failed; the server's log says why" };
  return problemResponse(shown, shown.status === 401 ? { "www-authenticate": "Bearer" } : {});
}

const SECURITY: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Adds the headers of all answers, unless the answer has its own. */
function secured(response: Response, cors: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries({ ...SECURITY, ...cors })) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

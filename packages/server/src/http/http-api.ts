import { KeyedSemaphore } from "@mdx-ai/base";
import { type AgentSource, ServedAgents } from "../agents/served-agents.ts";
import { type WebPage, webPage } from "../page/page.ts";
import { checkHost, corsHeaders, foreignOrigin, isVisit } from "./access/origin.ts";
import { callerOf, knownUsers } from "./access/tokens.ts";
import { Heartbeat } from "./event-stream.ts";
import { type MatchedPath, RouteTable } from "./match-route.ts";
import { Conversations } from "./openai/conversations.ts";
import { type Problem, ProblemError, problemOf, problemResponse } from "./problem.ts";
import type { Connection, Route, Services } from "./route.ts";
import { ROUTES } from "./routes/index.ts";
import type { ServeOptions } from "./serve-options.ts";

/** The API of a server: answers requests with its agents. */
export class HttpApi {
  readonly #options: ServeOptions;
  readonly #agents: ServedAgents;
  readonly #services: Services;
  readonly #routes = new RouteTable(ROUTES);
  #isReady = false;
  #page: Promise<WebPage> | undefined;

  constructor(options: ServeOptions, agents: readonly AgentSource[]) {
    const { redactor, version, onWarning } = options;
    this.#options = options;
    this.#agents = new ServedAgents(agents, onWarning);
    this.#services = {
      ...{ agents: this.#agents, redactor, version, onWarning },
      ...{ heartbeat: new Heartbeat(), conversations: new Conversations(), turns: new KeyedSemaphore() },
      isReady: () => this.#isReady,
      page: () => {
        this.#page ??= webPage();
        return this.#page;
      },
    };
  }

  /** Opens the agents of the known users. Rejects with the first failure. */
  async open(): Promise<void> {
    await this.#agents.openAll(knownUsers(this.#options.access));
    this.#isReady = true;
  }

  /** Closes the agents. Never rejects. */
  async close(): Promise<void> {
    this.#isReady = false;
    await this.#agents.close();
  }

  /** Undefined if the connection has become a WebSocket. Never rejects. */
  async answer(request: Request, connection: Connection): Promise<Response | undefined> {
    let cors: Readonly<Record<string, string>> = {};
    try {
      checkHost(request, this.#options);
      const found = this.#find(request);
      if (!(found.route?.isPage === true && isVisit(request)))
        cors = corsHeaders(foreignOrigin(request, this.#options));
      if (request.method === "OPTIONS") return secured(new Response(null, { status: 204 }), cors);
      const response = await this.#answered(request, found, connection);
      return response && secured(response, cors);
    } catch (error) {
      return secured(failed(error, this.#options.onWarning), cors);
    }
  }

  #find({ method, url }: Request): FoundRoute {
    const matched = this.#routes.match(new URL(url).pathname);
    return { ...matched, route: matched.routes.find((one) => one.method === (method === "HEAD" ? "GET" : method)) };
  }

  async #answered(
    request: Request,
    { route, routes, parameters }: FoundRoute,
    connection: Connection,
  ): Promise<Response | undefined> {
    const { searchParams: query } = new URL(request.url);
    const caller = callerOf(this.#options.access, request.headers);
    // Without a token, nobody learns which paths exist.
    if (caller === undefined && route?.isOpen !== true) throw new ProblemError(NO_TOKEN);
    if (route === undefined) throw new ProblemError(routes.length === 0 ? NO_PATH : noMethod(routes));
    const sender = caller ?? { user: undefined };
    return route.answer({ request, parameters, query, caller: sender, services: this.#services, ...connection });
  }
}

interface FoundRoute extends MatchedPath {
  /** Undefined if the path has none for the method. */
  readonly route: Route | undefined;
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
  if (problem === undefined) {
    onWarning(`a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
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

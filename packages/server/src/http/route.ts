import type { KeyedSemaphore, Redactor } from "@mdx-ai/base";
import type { Schema } from "@mdx-ai/base/schema";
import type { OpenDirectory } from "@mdx-ai/directory";
import type { Session } from "@mdx-ai/runtime";
import { sessionFolder } from "@mdx-ai/sessions";
import type { ServedAgents } from "../agents/served-agents.ts";
import type { WebPage } from "../page/page.ts";
import type { Caller } from "./access/tokens.ts";
import type { Heartbeat } from "./event-stream.ts";
import type { Conversations } from "./openai/conversations.ts";
import { readBody } from "./request-body.ts";
import type { Upgrade } from "./socket.ts";

/** What all routes use. */
export interface Services {
  readonly agents: ServedAgents;
  /** Redacts everything that leaves the program. */
  readonly redactor: Redactor;
  readonly heartbeat: Heartbeat;
  readonly conversations: Conversations;
  /** Lets requests that continue the same session choose it and submit their prompts one after another. */
  readonly turns: KeyedSemaphore;
  readonly version: string;
  /** The web page, made at the first call. Rejects with the bundler's error. */
  page(): Promise<WebPage>;
  /** Whether all agents are open. */
  isReady(): boolean;
  onWarning(message: string): void;
}

/** The connection of a request. */
export interface Connection {
  /** Lets it be idle: for a stream. */
  keepOpen(): void;
  /** Makes it a WebSocket; the answer of the route is then undefined. */
  readonly upgrade: Upgrade;
}

/** A request whose sender may send it. */
export interface Call extends Connection {
  readonly request: Request;
  /** The parts of the path with names, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly caller: Caller;
  readonly services: Services;
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** An answer of a route, for the description of the API. */
interface AnswerSpec {
  readonly description: string;
  /** The type of the body; absent if it has none. */
  readonly type?: string;
  readonly schema?: Schema;
}

/** One operation of the API. The table of routes is also the source of its description. */
export interface Route {
  readonly method: Method;
  /** With `{name}` for a part that is a parameter. */
  readonly path: string;
  readonly summary: string;
  /** Whether everybody may send it, without a token. */
  readonly isOpen?: true;
  /** Whether it is a page without data, to which links of other pages may lead. */
  readonly isPage?: true;
  /** The query's members. */
  readonly query?: Readonly<Record<string, Schema>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Schema;
  /** By status. */
  readonly answers: Readonly<Record<number, AnswerSpec>>;
  /** Rejects with a `ProblemError`, or with an error that is a problem. Undefined for a WebSocket. */
  answer(call: Call): Promise<Response | undefined> | Response | undefined;
}

/** The part of a route that reads a body. */
export const withBody = <T>(
  body: Schema<T>,
  answer: (call: Call, body: T) => Promise<Response>,
  maximum?: number,
): Pick<Route, "body" | "answer"> => ({
  body,
  answer: async (call) => answer(call, await readBody(call.request, body, maximum)),
});

/** A JSON answer, redacted. */
export const jsonResponse = (
  { services }: Call,
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(`${services.redactor.json(value)}\n`, {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

/** The agent of a call, opened for its sender. Rejects as `ServedAgents.of` does. */
export const agentOf = ({ parameters, caller, services }: Call): Promise<OpenDirectory> =>
  services.agents.of(parameters["agent"] ?? "", caller.user);

/** A session of a call's agent, which exists. */
export interface SessionCall {
  readonly open: OpenDirectory;
  readonly session: Session;
}

/** The session of a call. Rejects as `ServedAgents.of` does, and with `UnknownSessionError`; an id makes nothing. */
export async function sessionOf(call: Call): Promise<SessionCall> {
  const open = await agentOf(call);
  const id = call.parameters["session"] ?? "";
  await open.shared?.refresh(id);
  if (id !== open.session) sessionFolder(open.dataDirectory, id);
  return { open, session: open.agent.session(id) };
}

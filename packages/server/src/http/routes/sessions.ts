import type { OpenDirectory } from "@mdx-ai/directory";
import { htmlExport, markdownExport } from "@mdx-ai/directory/views/session-export";
import {
  checkSessionId,
  fileStore,
  makeSession,
  newSession,
  readSession,
  readTrace,
  recordingText,
  SessionExistsError,
  SessionIdError,
  titleSession,
} from "@mdx-ai/sessions";
import { tracePage } from "../../page/trace/trace-page.ts";
import { ProblemError } from "../problem.ts";
import { agentOf, type Call, jsonResponse, type Route, type SessionCall, sessionOf, withBody } from "../route.ts";
import { forkSession } from "./fork-session.ts";
import { idleSession } from "./idle-session.ts";
import { FORK, type ForkBody, NEW_SESSION, type NewSessionBody } from "./schemas.ts";
import { sessionView, sessionViews } from "./session-view.ts";

const SESSIONS = "/api/agents/{agent}/sessions";
/** The path of a session. */
export const SESSION: string = `${SESSIONS}/{session}`;

const session = { description: "the session", type: "application/json" } as const;

export const SESSION_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: SESSIONS,
    summary: "List the sessions of an agent, the last used first",
    answers: { 200: { description: "the sessions", type: "application/json" } },
    async answer(call) {
      const open = await agentOf(call);
      await open.shared?.refreshAll();
      const { sessions, skipped } = fileStore({ dataDirectory: open.dataDirectory }).list();
      return jsonResponse(call, { sessions: sessionViews(open, sessions), skipped });
    },
  },
  {
    method: "POST",
    path: SESSIONS,
    summary: "Create a session",
    answers: { 201: session },
    ...withBody(NEW_SESSION, create),
  },
  {
    method: "GET",
    path: SESSION,
    summary: "Read a session",
    answers: { 200: session },
    async answer(call) {
      const found = await sessionOf(call);
      return jsonResponse(call, sessionView(found.open, found.session.id));
    },
  },
  {
    method: "PATCH",
    path: SESSION,
    summary: "Give a session another title or id",
    answers: { 200: session },
    ...withBody(NEW_SESSION, change),
  },
  {
    method: "DELETE",
    path: SESSION,
    summary: "Delete a session with all that it said",
    answers: { 204: { description: "it is deleted" } },
    async answer(call) {
      const found = await idleSession(call);
      await found.session.delete();
      return new Response(null, { status: 204 });
    },
  },
  {
    method: "POST",
    path: `${SESSION}/fork`,
    summary: "Create a session that continues from a prompt of this one",
    answers: { 201: session },
    ...withBody(FORK, fork),
  },
  {
    method: "GET",
    path: `${SESSION}/messages`,
    summary: "Read the transcript",
    answers: { 200: { description: "the messages", type: "application/json" } },
    async answer(call) {
      const messages = recordOf(await sessionOf(call))?.messages ?? [];
      return jsonResponse(call, { messages });
    },
  },
  {
    method: "GET",
    path: `${SESSION}/trace`,
    summary: "Read what happened in a session, step by step",
    query: {
      format: { title: "`json` or `html`", description: "Default: `json`.", type: "string", enum: ["json", "html"] },
    },
    answers: { 200: { description: "the trace; null before the first prompt", type: "application/json" } },
    answer: traced,
  },
  {
    method: "GET",
    path: `${SESSION}/export`,
    summary: "Export a session as JSON, Markdown or a page, or as a recording that can be replayed",
    query: {
      format: {
        title: "a format",
        description: "`jsonl` is the recording. Default: `json`.",
        type: "string",
        enum: ["json", "jsonl", "md", "html"],
      },
    },
    answers: { 200: { description: "the session", type: "application/json" } },
    answer: exported,
  },
];

async function create(call: Call, { id, title }: NewSessionBody): Promise<Response> {
  const open = await agentOf(call);
  const made = await namedLater(id, (name) => makeNamed(open, name, title));
  const address = `${new URL(call.request.url).pathname}/${encodeURIComponent(made)}`;
  return jsonResponse(call, sessionView(open, made), 201, { location: address });
}

async function makeNamed(open: OpenDirectory, id: string | undefined, title: string | undefined): Promise<string> {
  if (id !== undefined) checkSessionId(id);
  if (id === open.session) throw new SessionExistsError(id);
  if (open.shared) return open.shared.create(id, title);
  const made = id ?? newSession(open.dataDirectory, Date.now());
  if (id !== undefined) makeSession(open.dataDirectory, id);
  if (title !== undefined) titleSession(open.dataDirectory, made, title);
  return made;
}

async function retitle({ shared, dataDirectory }: OpenDirectory, id: string, title: string): Promise<void> {
  if (shared) await shared.retitle(id, title);
  else titleSession(dataDirectory, id, title);
}

async function change(call: Call, { id, title }: NewSessionBody): Promise<Response> {
  const found = id === undefined ? await sessionOf(call) : await idleSession(call);
  const { open } = found;
  if (id !== undefined && id !== found.session.id) await namedLater(id, (name) => found.session.rename(name));
  const current = id ?? found.session.id;
  if (title !== undefined) await retitle(open, current, title);
  return jsonResponse(call, sessionView(open, current));
}

async function fork(call: Call, { id, prompt }: ForkBody): Promise<Response> {
  const { open, session: from } = await idleSession(call);
  if (id === undefined) await open.shared?.refreshAll();
  const to = await namedLater(id, async (name) => {
    if (name === undefined) return forkSession(open, from, prompt);
    await from.fork(name, prompt);
    return name;
  });
  await open.shared?.refresh(to);
  const address = new URL(call.request.url).pathname.replace(/[^/]+\/fork$/, encodeURIComponent(to));
  return jsonResponse(call, sessionView(open, to), 201, { location: address });
}

async function traced(call: Call): Promise<Response> {
  const { open, session: found } = await sessionOf(call);
  const trace = await readTrace(open.dataDirectory, found.id);
  if (trace === undefined || call.query.get("format") !== "html") return jsonResponse(call, trace ?? null);
  const { redactor } = call.services;
  const page = tracePage(trace, open.directory.definition.identity.name, (text) => redactor.text(text));
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
}

async function exported(call: Call): Promise<Response> {
  const found = await sessionOf(call);
  const format = call.query.get("format") ?? "json";
  const render = EXPORTS.get(format);
  if (format === "json") {
    const messages = recordOf(found)?.messages ?? [];
    return jsonResponse(call, { ...sessionView(found.open, found.session.id), messages });
  }
  if (render === undefined) {
    const detail = `format needs json, ${[...EXPORTS.keys()].join(", ")}, but got ${JSON.stringify(format.slice(0, 40))}`;
    throw new ProblemError({ status: 400, code: "wrong_format", detail });
  }
  const text = call.services.redactor.text(render.text(found.open.dataDirectory, found.session.id));
  return new Response(text, {
    // A browser stores it: a page of this origin is the server's own alone.
    headers: { "content-type": render.type, "content-disposition": `attachment; filename="session.${format}"` },
  });
}

interface Export {
  readonly type: string;
  text(dataDirectory: string, id: string): string;
}

const EXPORTS: ReadonlyMap<string, Export> = new Map([
  ["jsonl", { type: "application/jsonl", text: recordingText }],
  ["md", { type: "text/markdown; charset=utf-8", text: (data, id) => markdownExport(readSession(data, id)) }],
  ["html", { type: "text/html; charset=utf-8", text: (data, id) => htmlExport(readSession(data, id)) }],
]);

/** The content of a session; undefined if the default session has no prompt yet. */
const recordOf = ({ open, session: { id } }: SessionCall): ReturnType<typeof readSession> | undefined =>
  fileStore(open).has(id) ? readSession(open.dataDirectory, id) : undefined;

/** An id in a body is a mistake of the body. */
function asMistake(error: unknown): never {
  if (!(error instanceof SessionIdError)) throw error;
  throw new ProblemError({ status: 422, code: "wrong_body", detail: error.message });
}

const namedLater = <Name, Result>(name: Name, work: (name: Name) => Promise<Result>): Promise<Result> =>
  work(name).catch(asMistake);

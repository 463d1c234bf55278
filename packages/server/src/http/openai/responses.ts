import { isRecord, jsonValue } from "@mdx-ai/base";
import type { Schema } from "@mdx-ai/base/schema";
import type { OpenDirectory } from "@mdx-ai/directory";
import type { Session } from "@mdx-ai/runtime";
import { sessionFolder } from "@mdx-ai/sessions";
import { textStream } from "../event-stream.ts";
import { ProblemError } from "../problem.ts";
import { MAX_IMAGE_BYTES } from "../request-body.ts";
import { type Call, jsonResponse, type Route, withBody } from "../route.ts";
import { freeName } from "../routes/free-name.ts";
import { askedOf, mistake } from "./messages.ts";
import { ask, askedAgent, type ModelRequest, openAiRoute, wholeAnswer } from "./openai-answer.ts";
import { type ResponseHead, responseEvents, responseObject } from "./response-events.ts";

interface ResponsesBody extends ModelRequest {
  readonly input: string | readonly unknown[];
  readonly instructions?: string | null;
  readonly previous_response_id?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

const RESPONSES: Schema<ResponsesBody> = {
  title: "a request",
  type: "object",
  required: ["model", "input"],
  properties: {
    model: { title: "the name of an agent", type: "string" },
    input: { title: "a text or a list of items", type: ["string", "array"] },
    instructions: { title: "a text", type: ["string", "null"] },
    previous_response_id: { title: "the id of a response", type: ["string", "null"] },
    metadata: { title: "an object", type: ["object", "null"] },
    stream: { title: "`true` or `false`", type: ["boolean", "null"] },
    tools: { title: "an empty list", type: ["array", "null"] },
  },
};

/** OpenAI's responses, as Open Responses describes them: each agent is a model. */
export const RESPONSE_ROUTES: readonly Route[] = [
  openAiRoute({
    method: "POST",
    path: "/v1/responses",
    summary: "Ask an agent, as OpenAI's responses",
    answers: { 200: { description: "the response; with `stream`, server-sent events", type: "application/json" } },
    ...withBody(RESPONSES, respond, MAX_IMAGE_BYTES),
  }),
];

async function respond(call: Call, body: ResponsesBody): Promise<Response> {
  const open = await askedAgent(call, body);
  const items = typeof body.input === "string" ? [{ role: "user", content: body.input }] : body.input;
  const asked = askedOf([...(body.instructions ? [{ role: "system", content: body.instructions }] : []), ...items]);
  const previous = body.previous_response_id ?? undefined;
  const session =
    previous === undefined
      ? await call.services.conversations.session(open, asked.earlier)
      : await continued(open, previous);
  const lastPrompt = await promptCount(session);
  const answering = ask(call, open, session, asked);
  const head: ResponseHead = {
    id: responseId(session.id, lastPrompt + 1),
    created: Math.floor(Date.now() / 1000),
    model: body.model,
    instructions: body.instructions ?? null,
    previous: previous ?? null,
    metadata: body.metadata ?? {},
  };
  if (body.stream !== true) {
    const { text, end } = await wholeAnswer(answering);
    return jsonResponse(call, responseObject(head, { text, end }));
  }
  const { heartbeat, redactor } = call.services;
  const stream = textStream(responseEvents(answering.pieces, head), heartbeat, ": \n\n", (event) =>
    event === "[DONE]" ? "data: [DONE]\n\n" : `event: ${event.type}\ndata: ${redactor.json(event)}\n\n`,
  );
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}

/** How many prompts a session has had. */
async function promptCount(session: Session): Promise<number> {
  const checkpoints = await session.checkpoints();
  return checkpoints.at(-1)?.prompt ?? 0;
}

/** An id that names a prompt, so that it can be continued after a restart, too. */
const responseId = (session: string, prompt: number): string =>
  `resp_${Buffer.from(JSON.stringify([session, prompt])).toString("base64url")}`;

/** The session that continues from a response: its own, or a fork if that has gone on. Rejects with a problem. */
async function continued(open: OpenDirectory, id: string): Promise<Session> {
  const named: unknown = jsonValue(Buffer.from(id.replace(/^resp_/, ""), "base64url").toString("utf8"));
  const [name, prompt] = Array.isArray(named) ? named : [];
  if (typeof name !== "string" || typeof prompt !== "number" || isRecord(named)) throw unknownResponse(id);
  await open.shared?.refresh(name);
  sessionFolder(open.dataDirectory, name);
  const session = open.agent.session(name);
  const last = await promptCount(session);
  if (prompt > last) throw unknownResponse(id);
  if (prompt === last) return session;
  if (session.activePrompts.length > 0) throw mistake(`session ${name} has a running prompt`);
  const fork = freeName(open.dataDirectory, name);
  await session.fork(fork, prompt);
  return open.agent.session(fork);
}

const unknownResponse = (id: string): ProblemError =>
  new ProblemError({
    status: 404,
    code: "response_not_found",
    detail: `there is no response ${JSON.stringify(id.slice(0, 80))}`,
  });
